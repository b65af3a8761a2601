/**
 * The languages of the blog. The most frequent words are real. The rest is made of each language's syllables,
 * because a realistic vocabulary is larger than any list.
 */
export interface Language {
  /** ISO 639-1. */
  readonly code: string;
  readonly script: 'latin' | 'cyrillic' | 'cjk' | 'arabic' | 'greek';
  /** Share of all posts. */
  readonly share: number;
  /** The separator between words; empty in scripts without spaces. */
  readonly space: string;
  readonly comma: string;
  readonly stops: readonly string[];
  /** The most frequent words, in descending order. */
  readonly common: readonly string[];
  /** Codes of the languages that it sometimes borrows a word from. */
  readonly borrowsFrom: readonly string[];
  readonly form: SyllableForm | CharacterForm;
}

/** Words of syllables (onset, nucleus, coda) with an inflected ending. */
export interface SyllableForm {
  readonly kind: 'syllables';
  readonly onsets: readonly string[];
  readonly nuclei: readonly string[];
  readonly codas: readonly string[];
  readonly endings: readonly string[];
}

/** Words of 2 to 4 characters from one of the alphabets; earlier characters are more frequent. */
export interface CharacterForm {
  readonly kind: 'characters';
  readonly alphabets: readonly { readonly characters: string; readonly longest: number }[];
}

const split = (text: string): readonly string[] => text.split(/\s+/u);
/** Parts of syllables; a hyphen is an empty part. */
const parts = (text: string): readonly string[] => split(text).map((part) => (part === '-' ? '' : part));

const latin = {
  script: 'latin',
  space: ' ',
  comma: ',',
  stops: ['.', '.', '.', '.', '.', '.', '?', '!'],
} as const;

const english: Language = {
  ...latin,
  code: 'en',
  share: 0.6,
  borrowsFrom: ['de', 'fr', 'tr', 'pl'],
  common:
    split(`the of and to a in is for that it with on as we are this be not from by you an our or at have but can
    was when     how what which they all more one new if will about time your use each work first there than into so make only
    two up out them no some other like way after page read write data people year day old small find need keep
    most now where part over good place word list test line start end point name change build should could long
    own same many well why just still before between without through never always often has been their its had
    were do does did any every also may then these those here because very much such even us me my he she his her
    who while both under since until again against during within though once less few get take give know think see
    look come go say ask tell help try want show put set run move turn open close call send learn grow hold bring
    leave let mean seem become begin follow stop lose pay meet include continue understand watch speak spend allow
    add offer remember consider appear buy wait serve die expect stay reach remain suggest raise pass sell require
    report decide pull return explain hope develop carry break receive agree support hit produce eat cover catch
    draw choose cause walk teach listen notice world house room city street river garden water light night morning
    summer winter weather road bridge station train window door kitchen table paper book letter story history
    language music picture colour sound voice market money price company office project team group member friend
    family child mother father teacher student school class lesson course question answer problem idea reason
    example result detail level value number figure size shape form type kind side edge corner centre front back
    top bottom server client request response query index search cache file folder image text font style layout
    screen button link field menu column row record key token user account password network packet port host
    domain address browser script module function method object string array loop error warning log trace memory
    disk thread process queue stack heap tree graph node branch commit merge version update patch feature bug fix
    issue review draft post comment article author editor reader tag category archive feed performance latency
    throughput load cost limit quota rate measure benchmark chart budget plan goal task step design interface
    component contrast space grid margin pattern rule theme early late fast slow large big short high low hard
    easy simple clear right wrong real full empty free public private local global common different important
    possible available ready whole last next recent modern strong weak warm cold dark bright deep wide quiet plain
    useful careful honest curious today tomorrow yesterday week month hour minute second moment season century
    country island mountain forest lake coast village tower wall roof stone wood iron glass silver gold bread
    coffee tea apple bird horse fish dog cat flower leaf seed rain snow wind fire smoke hand eye head heart face
    foot body mind life health sleep dream library museum theatre film photograph camera print press magazine
    chapter sentence paragraph science theory experiment sample evidence model practice skill habit tool machine
    engine wheel battery safety security privacy trust access permission policy law duty choice risk chance`),
  form: {
    kind: 'syllables',
    onsets:
      parts(`- - b c d f g h j l m n p r s t v w b c d f g h l m n p r s t bl br ch cl cr dr fl fr gl gr pl pr
      qu sc sh sl sp st str sw th tr wh k k`),
    nuclei: parts('a e i o u a e i o a e i o e a i o e ea ai ou ee y'),
    codas: parts('- - - - - - n r l s t d m n r l n r s nd ng nt st ck rt ss ll p'),
    endings: parts('s ed ing er ly ness able ment ion al s ed ing ers ful less ity ous ive est'),
  },
};

const german: Language = {
  ...latin,
  code: 'de',
  share: 0.04,
  borrowsFrom: ['en'],
  common:
    split(`der die und in den von zu das mit sich des auf für ist im dem nicht ein eine als auch es an werden
    aus er hat dass sie nach wird bei einer um am sind noch wie einem über einen so zum war haben nur oder aber vor
    zur bis mehr durch man sein wurde Straße Größe Übung Änderung schön für früher möglich Prüfung Gerät Schlüssel`),
  form: {
    kind: 'syllables',
    onsets: parts('- b d f g h k l m n r s t w z b g h k l m n r s d w sch st br gr tr fl'),
    nuclei: parts('a e i o u e e i a ä ö ü ei ie au eu äu'),
    codas: parts('- - n r l t s ch cht nd ng nk rt st ß ss tz ck ft m lt'),
    endings: parts('en er e ung heit keit lich isch te ten es s ungen los bar chen'),
  },
};

const french: Language = {
  ...latin,
  code: 'fr',
  share: 0.03,
  borrowsFrom: ['en'],
  common:
    split(`de la le et les des en un une du que est pour qui dans par plus sur pas au ce avec se il sont été
    être à où même année très première après côté données réseau système fenêtre problème façon déjà français
    leçon élève modèle clé numéro forêt château hôtel cœur sœur mais ou nous vous tout cette leur bien ces`),
  form: {
    kind: 'syllables',
    onsets: parts('- b c d f g l m n p r s t v ch br cr dr fr gr pl pr tr gn qu j'),
    nuclei: parts('a e i o u a e i o u é è ai au ou oi ê'),
    codas: parts('- - - - - - r l n s t m'),
    endings: parts('er é ée és ement tion age eur euse ique ité ais ant ence s e es'),
  },
};

const turkish: Language = {
  ...latin,
  code: 'tr',
  share: 0.03,
  borrowsFrom: ['en'],
  common:
    split(`ve bir bu da de için ile çok daha olarak en gibi olan o ne kadar sonra var ama her iki ya yeni ki
    değil büyük gün yıl zaman göre nasıl şey kendi önce şimdi İstanbul İzmir ışık ağaç güneş çocuk öğrenci yazılım
    değişiklik güvenlik sürüm küçük ilk iyi bütün başka`),
  form: {
    kind: 'syllables',
    onsets: parts('- b c ç d g h k l m n p r s ş t v y z k b d y s'),
    nuclei: parts('a e ı i o ö u ü a e i ı'),
    codas: parts('- - - - - n r l k t m ş z n r l'),
    endings: parts('lar ler da de dan den lık lik cı ci lı li sız siz ın in ım im yor mak mek'),
  },
};

const polish: Language = {
  ...latin,
  code: 'pl',
  share: 0.02,
  borrowsFrom: ['en'],
  common:
    split(`w i na z do się nie że jest to o a jak przez od po ale co dla za czy już tym był przy oraz tylko
    także może jego który więc święto źródło żółty łódź środa pamięć część język książka wiadomość możliwość błąd
    rozwiązanie między później gdzieś również`),
  form: {
    kind: 'syllables',
    onsets: parts('- b c d g k l m n p r s t w z k m n p r s t w d cz sz prz rz ł st kr'),
    nuclei: parts('a e i o u y a e i o y ą ę ó ie ia'),
    codas: parts('- - - n r l k t m w ł ć ś ń sz cz st'),
    endings: parts('ać ów ami ach ego emu owy owa ość nie cie ka ek ki em ę ą'),
  },
};

const russian: Language = {
  code: 'ru',
  script: 'cyrillic',
  share: 0.13,
  space: ' ',
  comma: ',',
  stops: ['.', '.', '.', '.', '?', '!'],
  borrowsFrom: ['en'],
  common:
    split(`и в не на я что он с как это по но из у за от так же для все к до мы при чтобы о или уже если когда
    только его ещё был бы где есть можно время год работа новый самый первый большой человек день данные сервер
    система версия после между через также потому однако всегда почему вопрос ответ страница слово`),
  form: {
    kind: 'syllables',
    onsets: parts('- - б в г д з к л м н п р с т в к п с т р н л м д г б пр ст тр кр ж х ч ш ц'),
    nuclei: parts('а е и о у а е и о а е о и о ы я ю'),
    codas: parts('- - - - - н р л т к с м в ст й'),
    endings: parts('ый ая ое ого ому ов ам ами ение ость ать ить ал ла ются ник ка ски ой ем'),
  },
};

const greek: Language = {
  code: 'el',
  script: 'greek',
  share: 0.03,
  space: ' ',
  comma: ',',
  stops: ['.', '.', '.', ';', '!'],
  borrowsFrom: ['en'],
  common:
    split(`και το να του η της με που για την από ο τον στο είναι τα θα τη δεν σε των οι τους στην μας ως ή
    αυτό μια πως όταν πολύ μόνο χρόνος ημέρα κόσμος λόγος νέα σελίδα ερώτηση πρώτη μετά ακόμη όμως έχει κάθε`),
  form: {
    kind: 'syllables',
    onsets: parts('- - β γ δ θ κ λ μ ν π ρ σ τ φ κ π τ λ μ ν ρ σ στ πρ τρ χ'),
    nuclei: parts('α ε η ι ο υ α ε ι ο α ο ω ου ει αι ί ά ό'),
    codas: parts('- - - ν ρ λ σ μ κ'),
    endings: parts('ος ης ας η α ο ικός ική ικό ων ους εις ση μα τητα ώ ει'),
  },
};

const arabic: Language = {
  code: 'ar',
  script: 'arabic',
  share: 0.04,
  space: ' ',
  comma: '،',
  stops: ['.', '.', '.', '؟', '!'],
  borrowsFrom: ['en'],
  common:
    split(`في من على إلى أن هذا التي عن مع هذه ما كان لا الذي بعد كل بين ذلك قد عند حتى هو هي أو كما غير قبل
    أكثر يوم عام الوقت العمل الناس المدينة الكتاب اللغة الصفحة جديد أول كبير خلال حول دون ثم لكن إذا سؤال جواب`),
  form: {
    kind: 'syllables',
    onsets: parts('ب ت ث ج ح خ د ذ ر ز س ش ص ض ط ع غ ف ق ك ل م ن ه و ي م ل ن ر'),
    nuclei: parts('- - - ا و ي ا'),
    codas: parts('- - ب ت ر ل م ن د س ع ق ك'),
    endings: parts('ة ات ون ين ان ي ية ها هم نا كم وا'),
  },
};

/** Common characters of modern Chinese, roughly by frequency. */
const HANZI =
  `人大年生中上国个时地来发会可用学行成家方法多经后自面工作事开动同分定前本所机关长点数系统问题高新现力
  进体间性部重要实理外文合等内表电小手第意见信产业主加化公水正全立场品结路目光样度取明式情通由城市天美高流设计程
  序代码网络服务器存储接口测试版本更新安全密钥据库量速快慢读写件夹图像视频音乐书店记录历史故事春夏秋冬山河海风雨
  雪花木林火车站桥街道东西南北京港湾船灯塔夜晚早晨星月太阳食物茶米面包咖啡馆厨房味道朋友父母儿童老师语言翻译词汇
  句子段落标页码纸笔画色彩红黄蓝绿白黑金银铁石土沙田野草原牛羊马鸟鱼虫龙虎`.replace(/\s/gu, '');

const cjk = { script: 'cjk', space: '', comma: '，', stops: ['。', '。', '。', '。', '？', '！'] } as const;

const chinese: Language = {
  ...cjk,
  code: 'zh',
  share: 0.05,
  borrowsFrom: ['en'],
  common:
    split(`的 是 了 在 和 我们 有 这 不 一个 也 就 可以 到 与 对 为 中 没有 如何 什么 数据 时间 问题 使用 因为
    所以 但是 如果 系统 文章 今天 已经 需要 开始 通过 之后 其中 更新 版本`),
  form: { kind: 'characters', alphabets: [{ characters: HANZI, longest: 4 }] },
};

const KANJI =
  '日人年大出本中国時行見月分後前生間上東今金入学高円子外下来気小山話女北午百書先名川千水半男西電校語土木聞食車何南万毎白天母火右読友左休父雨';
const KANA = 'んいうしかとたくすきつなのさちにこりるせまみそらおふれてえあほけむろよひやめわもはゆ';
const KATAKANA =
  'ンーストルラリクイシアドレタプロコジマバサフデナテカウメキグセオパモミビダハニチエツムポボガワヨ';

const japanese: Language = {
  ...cjk,
  code: 'ja',
  share: 0.03,
  comma: '、',
  borrowsFrom: ['en'],
  common:
    split(`の に は を た が で て と し も する から な こと です ます ある いる この その まで より ため よう
    それ もの など という について 今日 時間 東京 日本 記事 使う 新しい 私たち 方法 問題`),
  form: {
    kind: 'characters',
    alphabets: [
      { characters: KANJI, longest: 3 },
      { characters: KATAKANA, longest: 4 },
      { characters: KANA, longest: 4 },
    ],
  },
};

/** All languages; their shares add up to 1. */
export const languages: readonly Language[] = [
  english,
  german,
  french,
  turkish,
  polish,
  russian,
  chinese,
  japanese,
  arabic,
  greek,
];
