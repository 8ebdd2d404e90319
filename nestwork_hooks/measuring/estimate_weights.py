"""Weights of the features in estimate.py, written by tests/calibrate/calibrate.py."""

# The Han characters that have a weight of their own, the most common first.
HAN = frozenset(
    "一用定的可使以作上能行下中名文在要前出目示有者方指本最入表分新通式成理自多手全部合不同法例他"
    "供常提明更数取必意了果次完容存大加字管保情化接置版特含始件性何制所正面得由重解内起外注除列持"
    "如生人是第述参和整代非引力告任先或設動時安改基相形程到度限向命小回配信地等操修点照立場子直集"
    "初当書来再期系位其号它知開章境各量間利包序連依報後移令現空求言項事日関描比与主会別器因考見些"
    "準高共具助然被也説切查而際需原及只無之型機此記但受好換標源元問確選避体就建格个対略実工認変我"
    "替符身送互支每題少时般個公追都已止種装且否括案状端複似心把索致詳速二将想算翻功打未模細語交值"
    "味簡組類単应放計于你失息望規進適便即展推段消为付后按構決結象这页流设返平環短称计候像对概看義"
    "做并過册服步动发態标项写普统过区很机核警近順免域开活真続级选那応户控既業終间关割去另断異視超"
    "典排良见足並介印影検範至読许从允呼录易某样況确許調路们准反找根没統著问单实快技条种编込进里变"
    "增布年様界节该道则密据殊為现発认頁己换效无旧登码获識请软退首値備冊套显省简節给資質运别則国复"
    "护检清物网該長須係処库您料析档編話隔务効备属希独类组输造違防题什口差植番素维試记译说调还頭三"
    "么义况十台处純線经结英创客执月构架誤试削句固守才載電串仍份员图导带強感留站策護载途错默两享務"
    "启對待扱着硬証論較际须低学细缺群误録優划尾層总択择於私突覧规议证读转這传充决應探景测訊跟鍵键"
    "附階"
)

# A line: 20 times the weight, then the features that have it.
_LINES = """\
-67 latin2
-64 latin1
-59 kinds1
-51 latin3
-47 arabic2 indic2
-46 han1
-39 cyrillic:_a
-38 greek:_a symbols1
-37 cyrillic1 greek1
-33 arabic3 greek2 greek3
-32 ht
-31 kana1 symbols2 y$
-30 han2 has:
-29 georgian2 has) hebrew2
-28 latin:_a tw
-27 hebrew:_a
-26 eq latin4
-25 arabic:_a has, has< indic4 indic:_a ua
-24 mixed
-23 cyrillic3 ea
-22 cyrillic:_Aa hangul:_a indic3 th ᆹ
-21 ed georgian:_a has> oo ph ty ы
-20 at ew greek:_Aa hangul1 ძ
-19 bj ct
-18 cl cyrillic2 fo has; oz pe
-17 ^w has% hebrew3 kana2 oa su
-16 has' has{ nc nt other5 ou ry so tp w$ y \u060c
-15 arabic1 hebrew1 io latin:_Aa nv ss thai:_a ub ur wn 据 输
-14 ag ef mp other6 s$ thai9 wh zw ョ 请
-13 arabic4 d fz georgian3 han3 has. has} on uf 覧
-12 ar ba bu d$ ho iq kana3 l$ me nn op po t$ wi だ
-11 ^c ^y be di dj e$ ec hebrew:a ip iz lb mo r$ s 个 创 务 动 息 页
-10 al am ay ce ft has! oj qr se wo ~c ь э ァ 们 国 择 致
-9 ^a cyrillic:Aa ds ep g$ georgian10 georgian4 greek:Aa has] hebrew4 hm ic js lo m$ mu n$ nd ns
-9 ro uo yo ~o 区 您 户 称 统
-8 ab av fr fu han4 in ir is it lh mb n' oc pi ql thai10 ti ux ve yn 易 步 许 问
-7 't ^e ac arabic10 bl cr cyrillic:a gk hangul2 hangul7 hk latin:Aa lu ow pm pr rk sw symbols3
-7 thai4 thai7 we \u061b ნ შ ᆭ あ そ ク 件 口 库
-6 ^u bt es georgian5 has/ he hr ij jk latin5 li ly np od or pl p~ rn un xp ᄉ さ ば ワ 地 复 组
-6 结 网 议 说 \ufe00
-5 ^d ^s ap ck cyrillic4 dd er ev fa fe fi gl greek:a hangul:_A id ld n ng other1 other:a p$ rf
-5 thai:a tz yz zu ц \u0622 こ 么 公 利 助 开 执 注 类 获 证 过
-4 e ex greek4 hangul:_Aa has( hn if ig il jn lf ma nu ok p ri st tl tr u ue vu xt xy y' yi yr zl
-4 о ᄄ ᄒ ᆻ す ィ ォ 为 些 交 什 供 员 如 持 月 现 码 种 默
-3 ah ai an arabic5 bo ci de dm du dy eg g ge greek+ h$ has[ hq indic:a jd kc ki kn le lq nf ob ot
-3 pt rb rg rr sc si sm sq thai3 to u~ zn \u061f \u062e \u0900 \u0b80 ズ ッ ペ ュ 何 即 备 年 我
-3 料 日 期 知 第 软 造 键
-2 ad bi br by cm cu dw ee georgian:.a gg gr greek12 greek:A han:_Aa hangul:a hu ke la lj m mi of
-2 ox r te tq u' um uy vl vo w xu xx yy ί й \u062f \u0635 ঀ \u0e00 ბ ხ ᄋ ニ ヤ 于 发 味 回 实 展
-2 录 情 找 指 方 显 模 站 終 规 説 質 退 部
-1 'd 'l 'r 's 'v ^r ^t arabic:.a ax bh e' em gh gi hangul3 hangul4 hg ih kt l latin:a ls mq mw ov
-1 p' pa rs sf symbols5 t ui up ut vg vi wg wt ww xn ya ze ~x ή \u0627 \u0631 \u0a80 ლ ყ ᄌ ᆮ し
-1 て ま ア グ ゴ 他 会 传 免 决 划 则 处 影 待 很 扱 技 排 接 控 放 新 时 景 最 果 管 索 般 認 设
-1 载 运 返 速 \U0001f380
1 ^g ^z bq bs ch cn d' dc dz en eo ff fk fp gn gq h has\" has- hf indic+ indic5 indic6 jb jh k' kq
1 lw mixed+ nq pj pw qa qc qi qn qt rj rq sh sx symbols+ tb thai+ thai5 tm vf vw vz wb wm xh xi xq
1 xv yc ye yx zg zq zt ~n ά д с \u0625 \u0628 \u0640 \u0644 \u0647 \u0649 き み ゆ ガ ギ コ ゼ ン
1 串 义 似 功 十 参 取 另 容 工 布 所 括 操 普 来 架 概 活 版 状 确 经 维 编 而 視 設 认 试 读 调
1 身 附 际 限 项 \U0001f480 \U0001f500 \U0001f680
2 ^o bv cg cyrillic+ cyrillic:.Aa cyrillic:A fg fl fy hh hz jz k kana4 ll lx mj nr qs qw re rm sy
2 vs vv wf wk wz x$ xb xe xj zf zr zx ~h ~~ е \u05e2 \u0645 მ ᄑ ᆸ い ぶ む ヒ 上 位 体 修 候 允
2 关 可 合 告 完 导 探 断 旧 根 测 消 番 看 简 細 计 近 録 错 间 集 首
3 ^i ^m ^v bw ca cx cy cyrillic:.A dk dx et fm georgian6 gw han:.Aa has$ has= hb hebrew5 hi hv im
3 indic1 jc kana:A kinds2 lp lt nj qu rd rt rz thai8 uk us ws x yf zk z~ ~s έ ό ύ б з м х я \u05d0
3 \u05d5 \u05dd \u05df \u0629 \u062a \u0639 \u0646 ᄅ \u2026 ぐ せ な ふ よ ろ ん ノ 享 从 但 値
3 共 具 典 処 及 同 含 守 客 序 或 才 是 望 段 没 法 生 由 素 群 者 論 足 还 違 那 間 高
3 \U0001f400
4 arabic:a as co digit dp el e~ fb gd gv hebrew6 kb kh kv latin6 lines3 m~ nh nz oe og other8 r'
4 rc symbols4 ta tn vd wl xw yj yv zv zy ж ъ \u05be \u0633 პ რ ᄀ ᄃ ぜ づ ひ も り る ゲ ダ ブ ム
4 ユ 与 两 之 仍 作 使 先 去 台 呼 型 境 少 引 当 心 护 描 效 整 既 检 植 点 界 略 登 突 純 给 缺
4 置 自 読 警 途 配 非 頭
5 cf cv cyrillic6 f fc fq gt gy hebrew8 iv iy j jl jq kp ks ky mn mz oy pu qd tg thai11 uc ud ug
5 uw vh vm wa xc xo yk yl ι л п т \u05d9 \u05e9 \u0638 \u0643 \u067e \u0686 ც ᄂ う か た に キ ト
5 ハ ロ 且 中 介 以 低 例 優 化 句 后 和 基 安 尾 差 強 形 成 按 文 有 本 标 然 省 程 種 符 策 级
5 能 良 著 象 超 追 送 隔 頁
6 ^p cd df ez gc georgian:a go gu hangul9 hangul:A hebrew7 hj i~ kana5 km ms mx ra ru tx t~ xk xl
6 ys yt yw ρ χ а ч \u062c \u0636 \u064a ა დ ქ ჩ ᆰ ᇂ え げ ご ざ び ザ シ ス フ プ メ 下 便 保 值
6 入 初 割 力 反 启 在 始 学 定 将 就 并 性 提 未 条 止 流 照 現 理 用 示 等 試 跟 这 通 道 際 類
7 ^k ao b$ bf bk cyrillic12 cyrillic7 c~ fj fx gb gf greek9 gs hc ib ie ix jj jm kw mv ni nl nw o$
7 os py rx symbols6 ul vk vt ym yu α г р у \u05e3 \u062b ᄆ ᄇ ᄍ ᄎ ᆺ ᆾ は ほ ソ ド ヘ ミ ラ ル
7 不 任 你 係 個 充 受 向 命 報 外 多 常 应 必 快 意 択 推 支 数 替 机 构 析 某 格 比 物 独 目 私
7 节 規 见 解 護 里 重 開 順 题
8 ^l aq cw db dq fw greek10 greek11 han:.A has# hebrew10 ik indic7 ja jp ka kana6 kd kf ku latin+
8 lines2 nk oq sz v va vb vy wx yh zd zi zp ~l ~y ε η ν ο π τ в и \u05d1 \u05d4 \u05dc \u05ea
8 \u0626 \u0641 \u06cc თ ი ფ ᆧ め オ チ ベ 並 也 了 人 内 册 失 好 字 密 層 换 求 決 異 直 立 章
8 範 系 載 述 除 階 題
9 ? ^f ^q ak arabic6 au cj cs dl do georgian8 greek8 gz han+ ji kj l~ ne no n~ o pv q$ rv sb uu vc
9 vr wd ~a ~z μ υ ё \u05de ე ぎ で わ ウ ェ セ ビ ャ 三 互 代 信 削 加 号 各 問 器 已 建 改 明 服
9 查 档 検 次 況 発 相 着 確 空 編 義 訊 証 識 译 该 量 鍵 項
10 ^b arabic11 a~ cb eh eu f$ gj greek5 greek:.a ii iw j$ jt latin7 latin:_A lv mr na ol pf thai12
10 wu yg zh ~t θ ς φ н ї \u05d7 \u05e8 \u0648 ო უ ᆷ っ と ど へ ツ ピ モ リ レ 全 原 总 準 留 的
10 移 至 見 資 起 込 进 避 都 長 防 須
11 a$ bc bx c dn han6 han:_A has? hl hy indic9 kana+ kg kinds3 kz lm rw thai:.a xd xz yd zb ~g ~k
11 ~q к \u0624 \u062d \u0637 \u0642 გ ᆼ が く ケ 份 出 切 列 只 增 小 把 核 正 短 節 線 調
12 aa b~ cyrillic:.a eb fn georgian12 georgian7 georgian9 greek7 g~ has^ kana7 nx o~ pp r~ tk uv
12 wc wp zs γ ψ \u05e6 \u06af ᄐ ᆫ ち つ の を カ ボ ポ 事 做 其 冊 再 制 効 名 图 它 式 得 時 様
12 每 清 源 特 硬 行 路 选 連 面
13 b bn c$ cyrillic11 cyrillic9 cz dr ej f~ has& has` has~ hp indic10 indic:.a je lr md mh nm pn
13 sr xf xr za ~e ~j ~u δ λ σ ω щ \u063a ᆨ れ デ 単 否 後 応 想 態 書 業 許
14 af bg cyrillic8 dg fd indic11 indic8 mf my ny oh pb sa s~ vn xa z$ zo ~i ~r \u05db \u05e1 や ら
14 マ 依 備 分 单 変 対 構 為 簡 続 適
15 a ei ek gm gp has+ indic12 latin:A ln nb other12 pd rh symbols7 thai6 κ \u05da \u05e0 \u0630
15 \u0632 \u0634 ᆽ じ ず エ テ バ 元 到 則 印 度 考 関
16 greek6 hangul6 has\\ has_ hd lz vp x~ ф ш \u05e4 წ ᄈ お ジ タ 一 主 二 務 実 標 此 結 計 進 選
17 ae aj arabic7 aw bb bp bz cc dh hangul:.a has@ ju mg ps sg tj tt \u05d6 \u0698 ネ 别 包 存 手
17 換 無 被 記 過
18 ^~ han7 has* kana8 ml oi pg sk uh w~ y~ zm zz ~d β \u05d3 \u0623 კ 別 動 誤
19 dv hw k~ latin:.a mc mk mt xs パ 子 於 端 複
20 bd ey hebrew9 kana9 kana:a ko sn uj uz \u05d2 \u05d8 ზ ღ ᆯ け 翻
21 hebrew:.a hs h~ lg sj yp ~v ζ \u05e7 \u0650 ტ ᄊ ナ 套 對 電
22 az greek:_A kana11 wy ~b \u064b 平 應 環 統 該
23 han:a kana10 kl latin:.A px v$ ~w ξ ᄏ 機 語
24 \u0300 \u05e5 組 這
25 ga han8 han:A kana:_a kinds4 kinds5 kk latin:.Aa lc pc tv ~p
26 arabic8 has| latin8 sv ~$ \u06a9
27 d~ ~m 令 案
28 cp
29 i$ jo sl
30 v~
31 cyrillic:_A \u064e ᇁ
32 han9 iu td \u064f
33 ^x kr u$
34 arabic9 bm han:_a べ
35 fs kana12
37 і
38 kana:.a lk є
39 han:.a ᄁ
40 latin9
42 pk
44 han10
46 \u0651
48 han11 latin10
54 dt
58 symbols8
59 han12
61 latin11
66 latin12
"""

WEIGHTS = {
    feature: int(weight) / 20
    for weight, *features in map(str.split, _LINES.splitlines())
    for feature in features
}
