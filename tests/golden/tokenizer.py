"""Strings with the ids transformers' CLIP tokenizer gives them; text that splits Unicode rules apart is the point.

    python tests/golden/tokenizer.py VOCAB_DIR      (a folder made by clip_vocab.py)

Writes data/tokenizer/strings.json: one string a line with `ids` (start and end included, not truncated) and, for strings
that are not long, `spans`: [first, last) of each id in characters of the given text ([0, 0] for start and end).
"""

import itertools
import random
import sys
import unicodedata

from transformers import CLIPTokenizer

from common import new_case, save_json_lines

PROMPTS = """a photo of an astronaut riding a horse on mars
a red circle and a blue square on a gray background
A Silver Jeep driving down a curvy road in the countryside.
masterpiece, best quality, 1girl, (long hair:1.2), [blue eyes], looking at viewer
portrait of a cat, oil on canvas, by rembrandt, trending on artstation, 8k, uhd, hdr
An Astronaut's helmet, isn't it? They're here; we've won, I'm sure, you'll see, he'd go.
ISN'T THAT DAVID'S? WE'LL SEE, I'D SAY; THEY'VE BEEN, YOU'RE, I'M
rock'n'roll 'tis the season, o'clock, the dogs' bowls, '90s
''s ''' 's 't 're 've 'm 'll 'd 'x '' '
don't don’t don`t don´t donʼt
"quoted text" 'single' «guillemets» “curly” ‘curly’ „low“
price: $19.99 (20% off!), #1 choice @home & away * ~100^2 = 10_000
http://example.org/a/b?c=d&e=f#g user@example.org
C:\\Windows\\System32 /usr/local/bin ~/.config
1234567890 3.14159 1,000,000 1e-5 0x1F 007 2nd 3D 4K 50mm f/1.8 ISO100
snake_case camelCase PascalCase kebab-case SCREAMING_CASE
hello,world;foo:bar.baz!qux?quux
... … --- — – ‐ ‑ ‒ ― − ~ ∼
!!! ??? !?!? ?! ¿qué? ¡hola!
<b>bold</b> &amp; &lt;tag&gt; [[link]] {{mustache}} ${var} %s %d \\n \\t
<lora:style:0.8> (((emphasis))) a:1.5 AND b::2 BREAK c
supercalifragilisticexpialidocious antidisestablishmentarianism
pneumonoultramicroscopicsilicovolcanoconiosis
aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa
abcdefghijklmnopqrstuvwxyz ABCDEFGHIJKLMNOPQRSTUVWXYZ
the quick brown fox jumps over the lazy dog
The Quick Brown Fox Jumps Over The Lazy Dog.
a dog running through a field in the style of van gogh
two people, one umbrella; rain -- night
x y z a b c i o
e=mc² H₂O x³ ½ ¼ ¾ ⅓ № ℃ ™ © ® ° µ Ω Å""".splitlines()

LANGUAGES = """İstanbul'da ışık ve İĞNE IĞDIR ıİiI
DİYARBAKIR diyarbakır ŞİŞLİ çiçek ÖĞRENCİ
ΣΊΣΥΦΟΣ Σίσυφος ΟΔΥΣΣΕΥΣ σΣς ΑΣ ΑΣ. ΑΣΑ Σ
Ἀθῆναι ᾼ ᾳ ᾈ ῼ Ὀδυσσεύς ΐ ΰ
Straße STRASSE STRAẞE ẞ ß Größe ÄÖÜ äöü Fuß
Café crème brûlée, garçon naïve façade œuvre Œ ÆSIR æ
niño mañana ¿Dónde está? pingüino
Příliš žluťoučký kůň úpěl ďábelské ódy PŘÍLIŠ ŽLUŤOUČKÝ
Zażółć gęślą jaźń ŁÓDŹ Łódź
Ljubljana ǅ ǆ Ǆ ǈ ǉ Ǉ ǋ ǲ Ǳ ǳ
Þórr Ðð ÞÞ Øresund Åland ångström
съешь ещё этих мягких французских булок СЪЕШЬ ЕЩЁ Й й
Київ ЇЖАК їжак Ґанок Српски Љубав Њ Џ
ЀЁЂЃЄЅІЇЈЉЊЋЌЍЎЏ Ѡ Ѣ Ꙋ ᲀ
Հայաստան ՀԱՅԱՍՏԱՆ և Ֆ
საქართველო ᲡᲐᲥᲐᲠᲗᲕᲔᲚᲝ Ⴀ ⴀ
Ꭰ ꭰ Ꮿ ᏹ
שלום עולם בְּרֵאשִׁית
مرحبا بالعالم السَّلَامُ ١٢٣ ۱۲۳ ﷺ لا
سلام دنیا می‌خواهم
สวัสดีชาวโลก ภาษาไทย น้ำ ๑๒๓
ສະບາຍດີ ນ້ຳ
नमस्ते दुनिया हिन्दी क्षत्रिय ज़ १२३
বাংলা কো ৰ ১২৩
தமிழ் கோ ௩ తెలుగు ಕನ್ನಡ മലയാളം
བོད་སྐད་ ༠༡ मराठी
မြန်မာ ខ្មែរ ០១២
አማርኛ ፩፪
ᠮᠣᠩᠭᠣᠯ ᠐
你好，世界！一只猫坐在红色的沙发上。
繁體中文測試「引號」『書名』《標題》、頓號
日本語のテキスト、カタカナ・ひらがな。ﾊﾝｶｸ ｶﾞ 全角ＡＢＣ１２３
がぎぐ ガギグ パピプ 々 〆 ヶ ー
안녕하세요 세계 한국어 텍스트 ㄱㄴㄷ
Tiếng Việt: Một con mèo ngồi trên ghế Ệ ệ Ự
Yorùbá ọ̀ ẹ́ Ọ̀ Hausa ɓ Ɓ ɗ Ɗ ƙ Ƙ
ʻŌlelo Hawaiʻi Māori tēnā koe
ȺȾ ⱥⱦ Ⱦ Ɐ ɐ Ꞌ ꞌ Ɦ Ʞ
ＦＵＬＬＷＩＤＴＨ ｆｕｌｌｗｉｄｔｈ ！＂＃＄％
𝐁𝐨𝐥𝐝 𝒮𝒸𝓇𝒾𝓅𝓉 𝔉𝔯𝔞𝔨𝔱𝔲𝔯 𝟘𝟙𝟚 𝕏
Ⓐⓐ ⒈ ⑴ ① ⅷ Ⅷ ⅿ Ⅿ ↀ ↄ Ↄ ㈠ ㊀ ㎏ ㏒
𐐀𐐨 𐐁 𐓐 𐲀 𑢠 𞤀 𞤢
𓀀 𒀀 𐌰 𐤀 𐎀 ᚠ ᚁ ⵣ ⰰ ⰀⰀ""".splitlines()

EMOJI = """😀 😂 ❤️ ❤ 👍 👍🏽 👍🏿 🎉🎉🎉
👨‍👩‍👧‍👦 👩‍💻 👩🏾‍🚀 🏳️‍🌈 🏴‍☠️ 🧑🏻‍🤝‍🧑🏿
🇩🇪 🇯🇵 🇹🇷🇬🇷 🏴󠁧󠁢󠁥󠁮󠁧󠁿
1️⃣ #️⃣ *️⃣ 🔟 ㊗️ ™️ ©️
cat🐱dog🐶bird🐦
a😀b 😀a 1😀2 😀! !😀
☀︎ ☀️ ☃ ⛄ ♥ ♥︎ ♥️ ✔ ✓ ★ ☆ → ⇒ ∞ ∑ √ ≠ ≤
🫠 🫡 🫨 🩷 🪿 🫪
(╯°□°)╯︵ ┻━┻ ¯\\_(ツ)_/¯ ʕ•ᴥ•ʔ ಠ_ಠ""".splitlines()

SPECIAL = """<|endoftext|>
<|startoftext|>
a cat<|endoftext|>a dog
a cat <|endoftext|> a dog
<|startoftext|>a cat<|endoftext|>
<|startoftext|><|startoftext|> x <|endoftext|><|endoftext|><|endoftext|>
<|ENDOFTEXT|> upper
<|STARTOFTEXT|> upper
a<|EndOfText|>b<|StartOfText|>c
<|endoftext| > broken
<|endoftext|
|endoftext|>
<<|endoftext|>>
<|endoftext|>'s
'<|endoftext|>s
<|pad|> <pad> <s> </s> <unk> [CLS] [SEP] [MASK]
</w> a</w> cat</w>
Ġ Ġa Ċ ▁ ▁a ##ing
endoftext startoftext
e<|endoftext|>́ e<|startoftext|>́
photo of <|startoftext|> İ Σ <|endoftext|> ß""".splitlines()

SPACES = [
    "", " ", "  ", "\n", "\t", "\r\n", "\0", "a", " a", "a ", "  a  ", "a  b", "a\nb", "a\r\nb", "a\tb", "\ta\n\nb\t",
    "a   b    c     d", "line one\nline two\n\nline four\n", "tab\tseparated\tvalues", "trailing   ", "   leading",
    "a \n b", "!  !", "' s", "'  s", "'\ns", "1 2  3\n4", "a\\nb",
]  # fmt: skip

# One by one between letters: what counts as space, what is a mark, what is dropped (nothing is).
CODE_POINTS = [
    *range(0x01, 0x21), 0x7F, *range(0x80, 0xA2), 0xAD, 0x034F, 0x061C, 0x070F, 0x115F, 0x1680, 0x17B4, 0x180B, 0x180E,
    *range(0x2000, 0x2010), *range(0x2028, 0x2030), 0x205F, 0x2060, 0x2062, 0x2066, 0x206F, 0x2800, 0x3000, 0x3164,
    0xFE0E, 0xFE0F, 0xFEFF, 0xFFA0, 0xFFF9, 0xFFFC, 0xFFFD, 0xFFFE, 0xE000, 0xF8FF, 0xE0001, 0xE0061, 0x10FFFF,
    0x0300, 0x0301, 0x0345, 0x0483, 0x0488, 0x05B0, 0x064B, 0x0670, 0x093C, 0x094D, 0x0E31, 0x0E34, 0x1AB0, 0x20D0, 0x20DD,
    0x3099, 0x302A, 0xFE20, 0x1D165,
]  # fmt: skip

DECOMPOSED = """é è ê ë ñ ü ö ä å ç š ž ő ű ǘ ǖ ḍ̇ ḍ̇ ṩ ệ ự ḝ Ǟ ȱ ṻ Ω Å K ‐ 각 한 글 가 갂 가̀ ガ が パ क़ ज़ ড় ਖ਼ ଡ଼ ֟ שׁ שּׁ ﬁ ﬀ ſ ẛ ẛ̣ ϓ ϔ 豈 更 車 舘 ⫝̸ 𝅗𝅥 𑂚 𝅘𝅥𝅮 ΐ ΰ ᾳ ᾼ Ἀ Ὧ ᾧ ͅα ̈́ ΅ й ї ў ѓ ӂ أ إ ؤ ئ ۀ ێ ༳ གྷ ဦ ᬆ か゚ セ゚""".split()


def long_texts():
    yield " ".join(["photo"] * 75)
    yield " ".join(["photo"] * 76)
    yield " ".join(["photo"] * 77)
    yield " ".join(["photo"] * 500)
    yield "a" * 300
    yield "ab" * 400
    yield "!" * 300
    yield "1" * 120
    yield "word," * 60
    yield "Ünïcödé " * 40
    yield "猫" * 200
    yield "😀" * 100
    yield "e" + "́" * 200
    yield "lorem ipsum dolor sit amet, " * 30 + "<|endoftext|> after"
    yield ", ".join(PROMPTS[:12])


def mixtures():
    """Random prompts and random characters, from a fixed seed: pairs nobody thinks of."""
    rng = random.Random(5)
    adjectives = "red blue tiny gigantic shimmering cyberpunk baroque low-poly sun-lit 19th-century McDonald's".split()
    nouns = "fox castle spaceship teapot dragonfly skyscraper jellyfish samurai café robot's hand TV".split()
    styles = "watercolor,octane render,ukiyo-e,35mm photo,pixel art,by Greg Rutkowski,f/2.8,--ar 16:9,(detailed:1.3)".split(",")
    for _ in range(70):
        parts = [rng.choice(["a", "the", "An", "two"]), rng.choice(adjectives), rng.choice(nouns)]
        if rng.random() < 0.6:
            parts += [rng.choice(["and", "beside", "under", "INSIDE OF", "&"]), rng.choice(adjectives), rng.choice(nouns)]
        yield " ".join(parts) + "".join(", " + rng.choice(styles) for _ in range(rng.randrange(4)))
    pool = "aZ09'.,-_ \n\t!?<|>éÉßẞİıΣσςЖж中の한ع😀\u0301\u200d\ufe0f\u00a0½²ǅ"
    for _ in range(90):
        yield "".join(rng.choice(pool) for _ in range(rng.randrange(1, 25)))
    blocks = [(0x80, 0x250), (0x250, 0x590), (0x590, 0x900), (0x900, 0x1100), (0x1100, 0x2000), (0x2000, 0x2E00), (0x2E00, 0xA000), (0xA000, 0xD800), (0xE000, 0x10000), (0x10000, 0x20000)]  # fmt: skip
    for low, high in blocks:
        for _ in range(9):
            # Assigned in an old Unicode version, so that the answer does not hang on the age of a library's tables.
            found = (chr(rng.randrange(low, high)) for _ in itertools.count())
            yield "".join(itertools.islice((c for c in found if unicodedata.ucd_3_2_0.category(c) not in ("Cn", "Cs")), 12))


def strings():
    texts = PROMPTS + LANGUAGES + EMOJI + SPECIAL + SPACES
    texts += [f"a{chr(c)}b" for c in CODE_POINTS]
    for text in DECOMPOSED + LANGUAGES[:40]:
        texts += [unicodedata.normalize("NFC", text), unicodedata.normalize("NFD", text)]
    texts += [*long_texts(), *mixtures()]
    return list(dict.fromkeys(texts))


def main(vocab_folder):
    tokenizer = CLIPTokenizer.from_pretrained(vocab_folder)
    rows = []
    for text in strings():
        encoded = tokenizer(text, return_offsets_mapping=True)
        ids = encoded.input_ids
        cut = tokenizer(text, truncation=True, padding="max_length", max_length=77).input_ids
        rule = (ids if len(ids) <= 77 else ids[:76] + [49407]) + [49407] * (77 - len(ids))
        assert cut == rule, "the truncation rule of README.md"
        row = {"text": text, "ids": ids}
        if len(text) <= 80:
            row["spans"] = encoded.offset_mapping
        rows.append(row)
    save_json_lines(new_case("tokenizer") / "strings.json", rows)
    print(len(rows), "strings")


if __name__ == "__main__":
    main(sys.argv[1])
