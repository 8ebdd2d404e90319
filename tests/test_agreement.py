"""Ids, commands, modules, manifest, READMEs and docs say the same."""

from __future__ import annotations

import re
from importlib import import_module
from importlib.metadata import entry_points, metadata

import pytest
import yaml

from nestwork_hooks.commands import catalog, commit_msg
from nestwork_hooks.console.report import WAITING
from nestwork_hooks.nest.checker import limits_of, rules_of
from tests import rules_page
from tests.conftest import PROJECT

MANIFEST = yaml.safe_load((PROJECT / ".pre-commit-hooks.yaml").read_text(encoding="utf-8"))
HOOKS = {hook["id"]: hook for hook in MANIFEST}
README = (PROJECT / "README.md").read_text(encoding="utf-8")
CHINESE = (PROJECT / "README.zh-CN.md").read_text(encoding="utf-8")
CONTRIBUTING = (PROJECT / "CONTRIBUTING.md").read_text(encoding="utf-8")
HOOKS_PAGE = (PROJECT / "docs/hooks.md").read_text(encoding="utf-8")
RULES_PAGE = (PROJECT / "docs/rules.md").read_text(encoding="utf-8")
COMMANDS = {
    script.name: script.value
    for script in entry_points(group="console_scripts")
    if script.name.startswith("nestwork-")
}
NO_HOOK = {"nestwork-commit", "nestwork-manifest", "nestwork-split"}
WITH_NAMES = {"nestwork-missing-description", "nestwork-nesting-depth", "nestwork-topic-size"}
STAGES = {"nestwork-measure": ["manual"], "nestwork-commit-msg": ["commit-msg"]}
KEYS = {
    "always_run", "description", "entry", "files", "id", "language", "minimum_pre_commit_version",
    "name", "pass_filenames", "require_serial", "stages", "types",
}  # fmt: skip


def test_every_hook_is_a_command_and_every_command_a_hook() -> None:
    assert set(HOOKS) | NO_HOOK == set(COMMANDS)


@pytest.mark.parametrize("command", sorted(COMMANDS))
def test_a_command_is_its_module(command: str) -> None:
    name = command.removeprefix("nestwork-").replace("-", "_")
    module, _, function = COMMANDS[command].partition(":")
    assert re.fullmatch(rf"nestwork_hooks\.(commands|checkers)\.{name}", module)
    assert function == "main"
    assert callable(import_module(module).main)
    folder = module.split(".")[1]
    assert (PROJECT / f"tests/{folder}/test_{name}.py").exists()


@pytest.mark.parametrize("hook", MANIFEST, ids=list(HOOKS))
def test_entry(hook: dict[str, object]) -> None:
    assert set(hook) <= KEYS
    assert hook["entry"] == hook["id"]
    assert hook["name"] == str(hook["id"]).replace("-", " ")
    assert str(hook["description"]).endswith(".")
    assert hook["language"] == "python"
    assert hook["minimum_pre_commit_version"] == "3.2.0"
    stages = STAGES.get(str(hook["id"]), ["pre-commit", "pre-merge-commit", "manual"])
    assert hook["stages"] == stages
    if stages == ["commit-msg"]:
        assert hook["always_run"] is True
        assert not {"pass_filenames", "files", "types"} & set(hook)
    elif hook["id"] in WITH_NAMES:
        assert hook["require_serial"] is True
        assert "always_run" not in hook
    else:
        assert (hook["always_run"], hook["pass_filenames"]) == (True, False)
        assert "files" not in hook


@pytest.mark.parametrize("hook_id", sorted(WITH_NAMES))
@pytest.mark.parametrize(
    ("path", "passed"),
    [
        ("shared/hosts.md", True),
        ("shared/tooling/mail.md", True),
        ("shared/a/b/c.md", True),
        ("agents/box/claude-a7k2/x.md", True),
        ("agents/box/claude-a7k2/a/x.md", True),
        ("agents/box/x.md", False),
        ("agents/x.md", False),
        ("shared/hosts.txt", False),
        ("shared.md", False),
        ("README.md", False),
        ("queen/agent-rules.md", False),
        ("x/shared/hosts.md", False),
        ("x/agents/a/b/c.md", False),
    ],
)
def test_which_files_a_runner_passes(hook_id: str, path: str, passed: bool) -> None:
    assert bool(re.search(HOOKS[hook_id]["files"], path)) is passed
    assert HOOKS[hook_id]["types"] == ["file"]


@pytest.mark.parametrize("command", sorted(COMMANDS))
def test_the_readmes_and_the_docs_know_the_command(command: str) -> None:
    assert f"`{command}`" in README
    assert f"`{command}`" in CHINESE
    assert f"\n## {command}\n" in HOOKS_PAGE


@pytest.mark.parametrize("hook", sorted(set(HOOKS) - {"nestwork-measure"}))
def test_the_readmes_lead_to_the_section_of_the_hook(hook: str) -> None:
    assert f"| [`{hook}`](docs/hooks.md#{hook}) |" in README
    assert f"| [`{hook}`](docs/hooks.md#{hook}) |" in CHINESE


def test_the_docs_have_a_section_for_every_rule() -> None:
    said = {rule.name for rule in (*rules_of(catalog.every()), *commit_msg.RULES)}
    assert {rule.name for rule in rules_page.rules()} == {*said, *WAITING}


def test_the_docs_know_every_limit() -> None:
    for limit in limits_of(catalog.every()):
        usual = f"{limit.default:,}" if limit.default else "no limit"
        assert f"`--{limit.flag} N` ({usual.replace(',', '')})" in " ".join(HOOKS_PAGE.split())
        assert f"`--{limit.flag} N`" in RULES_PAGE
        assert usual in RULES_PAGE


def test_one_release_has_one_version() -> None:
    version = metadata("nestwork-hooks")["Version"]
    changelog = (PROJECT / "CHANGELOG.md").read_text(encoding="utf-8")
    assert f"## {version} - " in changelog
    pages = [*PROJECT.glob("*.md"), *PROJECT.glob("docs/*.md")]
    texts = {page.name: page.read_text(encoding="utf-8") for page in pages}
    named = {
        name: set(re.findall(r"(?:rev: |hooks@)v([\d.]*\d)", text)) for name, text in texts.items()
    }
    assert {name for name, versions in named.items() if versions - {version}} == set()
    assert {name for name, versions in named.items() if versions} >= {"README.md", "measure.md"}


def test_the_quickstart_is_one_hook() -> None:
    block = README.split("### A person commits")[1].split("```yaml\n")[1].split("```")[0]
    (repo,) = yaml.safe_load(block)["repos"]
    assert repo["hooks"] == [{"id": "nestwork-check", "args": ["--fix"]}]


@pytest.mark.parametrize("text", [README, CHINESE])
def test_the_line_that_tries_it(text: str) -> None:
    start = "python3 -m venv .venv && .venv/bin/pip install -q "
    assert f"{start}. && cd tests/nests/broken && ../../../.venv/bin/nestwork-check --all\n" in text


def test_the_line_that_sets_up_is_what_ci_runs() -> None:
    line = "python3 -m venv .venv && .venv/bin/pip install -q -e '.[dev]' && .venv/bin/pytest -q -n auto\n"
    assert line in CONTRIBUTING
    assert line in README
    assert line in (PROJECT / ".ci" / "run").read_text(encoding="utf-8")
