"""Executes config cases on OmegaConf 2.4.0 and writes them in the format that tests/tools/config_cases runs.

    pip install omegaconf==2.4.0 pyyaml
    python tests/golden/config.py            # rewrites tests/golden/data/config/*.json
    python tests/golden/config.py 20000 /tmp/fuzz.json   # many random ones, for a run by hand
"""
import base64
import json
import math
import random
import sys
import warnings
from pathlib import Path

import yaml
from omegaconf import DictConfig, ListConfig, OmegaConf

warnings.simplefilter("ignore")
SEED = 7


def encode(value):
    if isinstance(value, bool) or value is None or isinstance(value, str):
        return value if not isinstance(value, str) else str(value)
    if isinstance(value, float):
        return value if math.isfinite(value) else {"$float": str(value)}
    if isinstance(value, int):
        return value if abs(value) < 2**53 else {"$int": str(value)}
    if isinstance(value, bytes):
        return {"$bytes": base64.b64encode(value).decode()}
    if isinstance(value, (list, tuple)):
        return [encode(v) for v in value]
    if isinstance(value, dict):
        if all(isinstance(k, str) for k in value):
            return {str(k): encode(v) for k, v in value.items()}
        return {"$map": [[encode(k), encode(v)] for k, v in value.items()]}
    raise TypeError(type(value))


def types(value, path=""):
    names = {bool: "bool", int: "int", float: "float", bytes: "bytes", type(None): "null"}
    if isinstance(value, dict) and value:
        out = {}
        for k, v in value.items():
            out.update(types(v, f"{path}.{k if not isinstance(k, bytes) else k.decode('latin-1')}" if path else
                             (str(k) if not isinstance(k, bytes) else k.decode("latin-1"))))
        return out
    if isinstance(value, (list, tuple)) and value:
        out = {}
        for i, v in enumerate(value):
            out.update(types(v, f"{path}[{i}]"))
        return out
    if isinstance(value, dict):
        return {path: "map"}
    if isinstance(value, (list, tuple)):
        return {path: "seq"}
    return {path: names.get(type(value), "str")}


def plain(value, resolve=True):
    if isinstance(value, (DictConfig, ListConfig)):
        return OmegaConf.to_container(value, resolve=resolve)
    return value


def run(op, text, args):
    cfg = OmegaConf.create(text) if op != "merge" or text else OmegaConf.create({})
    if args.get("struct"):
        OmegaConf.set_struct(cfg, True)
    if op == "resolve":
        return OmegaConf.to_container(cfg, resolve=args.get("resolve", True))
    if op == "select":
        return plain(OmegaConf.select(cfg, args["key"]))
    if op == "merge":
        out = OmegaConf.merge(cfg, *[OmegaConf.create(t) for t in args["with"]])
        return plain(out, args.get("resolve", False))
    if op == "override":
        if args["style"] == "dotlist":
            return plain(OmegaConf.merge(cfg, OmegaConf.from_dotlist(args["overrides"])), False)
        cfg.merge_with_dotlist(args["overrides"])
        return plain(cfg, False)
    if op == "dump":
        return OmegaConf.to_yaml(cfg, resolve=args.get("resolve", False))
    if op == "missing_keys":
        return sorted(OmegaConf.missing_keys(cfg))
    raise ValueError(op)


def error(exc):
    module = type(exc).__module__.split(".")[0]
    out = {"kind": type(exc).__name__, "origin": module, "message": str(exc).split("\n")[0]}
    if module == "yaml":
        mark = getattr(exc, "problem_mark", None)
        if mark is not None:
            out.update(line=mark.line + 1, column=mark.column + 1)
    elif getattr(exc, "full_key", None):
        out["full_key"] = str(exc.full_key)
    return out


def case(name, op, text, args=None):
    args = args or {}
    try:
        got = run(op, text, args)
        out = {"id": name, "op": op, "yaml": text, "args": args, "expected": encode(got)}
        if op not in ("dump", "missing_keys"):
            out["types"] = types(got)
        return out
    except RecursionError:
        return None
    except Exception as exc:  # noqa: BLE001: every error is a result here
        wanted = error(exc)
        # Limits of the reference's own machinery, not of the language.
        if "RecursionError" in wanted["message"] or "Empty Stack" in wanted["message"]:
            return None
        return {"id": name, "op": "error", "yaml": text, "args": {"op": op, **args}, "expected": wanted}


# ---- hand-written inputs -------------------------------------------------------------------------------------------
YAML_SEEDS = [
    "a: 1\nb:\n  c: [1, 2, {d: e}]\n  f: 'g'\n# end\n",
    "list:\n- x\n- y: 1\n  z: 2\n-\n  - nested\n  - deeper: true\n",
    "text: |\n  one\n   two\n\nfold: >-\n  three\n  four\n\nlast: end\n",
    "base: &base {x: 1, y: [a, b]}\nother:\n  <<: *base\n  x: 2\nalias: *base\n",
    "q: \"a\\tb\\x41 \\\n  joined\"\ns: 'it''s\n  folded'\np: plain\n  goes on\n",
    "? complex\n: value\n? [k]\n: no\n",
    "%YAML 1.1\n---\n!!map {a: !!str 1, b: ! 12, c: !<tag:yaml.org,2002:int> '7'}\n...\n",
    "a: {b: , c: [d: e, f], ? g : h}\n",
    "t:\t1\nu :\t[\n\t1,\n\t2 ]\nv: x\ty # c\n",
    "1: one\n'1.5': two\nyes: three\n~x: four\n2.5: [.5, -.5, 1_0, 0x1F, 0o7, 017, 12:30, 1e5]\n",
    "x: ${y}\ny: {z: '${.w}', w: 3}\nl: ['${x.w}', \"a ${x}\"]\n",
    "# c\n\na: # c2\n  - b   # c3\n\n  -   c\n",
    "k: - no\nm: a: b\n",
    "emoji: \"😀\"\n键: 值\n",
]
CHARACTERS = list("ab1-?:,[]{}#&*!|>'\"%@`<=~$\\. \t\n/_+") + ["\r\n", "\u00e9", "\u0085", "\ufeff", "${", ": ", "- ", "  "]

GRAMMAR_PIECES = ["${", "}", "a", "b", "c", ".", "..", "[", "]", "{", "}", ":", ",", "'", '"', "\\", "\\\\", " ", "test", "1",
                  "1.5", "1e-4", "null", "true", "inf", "-", "+", "$", "x y", "${a}", "${.b}", "${test:", "\\${", "\\'", "\\}",
                  "\\,", "007", "1_0", "???", "\\???", "@", "=", "é", "0", "${b.c}", "${l[0]}", "${l.-1}"]
GRAMMAR_TREE = "a: 1\nb: {c: hi, d: '${.c}'}\nl: [x, 2.5]\nn: null\nm: ???\nx: "

SCALARS = ["1", "-1", "+1", "01", "08", "0x1f", "0b2", "0b11", "1_000", "1__0", "_1", "1_", "0_", "1e5", "1e-5", "1E+5", "1.e5",
           "1.5e5", "1.5e+5", ".5", ".5e5", ".5e+5", "-.5", "1_0.5", "1__0.5", "1__0.5e5", "1__0.5e+5", "1_.5", "_1.5", ".inf",
           "-.inf", "+.Inf", ".NaN", "-.nan", "12:30", "12:60", "1:2:3", "-1:30", "1:30.5", "0:30", "012:30", "1:3_0", "y", "Yes",
           "yES", "on", "oFF", "~", "null", "nUll", "=", "<<", "---", "2001-01-01", "1.0.0", "1e", "e5", "1e5.5", "0.", "0.0_1",
           "1e400", "-1e400", "123456789012345678901234567890", "0xFFFFFFFFFFFFFFFFFF", "0777777777777777777777777", "-0", "0o17",
           "1,5", "1 000", "True", "TRUE", "tRUE", "None", "???", "\\???", "\\\\???", "???x", "-", "a:b", "http://x:80/y", "a#b",
           "*", "1.7976931348623157e308", "5e-324", "0.1", "100.0", "1e16", "1e15", "123456789.123", "1e22", "1e-7", "0.00001"]
STRINGS = ["", " ", "a", " a", "a ", "a: b", "a:", ":a", "a #b", "#a", "- a", "-", "--", "-a", "? a", "?a", "?", "[a", "a]", "{a}",
           "a, b", "&a", "*a", "!a", "|a", ">a", "'a", "\"a", "%a", "@a", "`a", "it's", "say \"hi\"", "two\nlines", "two\n\nlines\n",
           "\nlead", "trail\n", "a \nb", "a\n b", "tab\there", "back\\slash", "nul\x00", "bell\x07", "del\x7f", "nel\x85x",
           "ls\u2028x", "bom\ufeffx", "nbsp\u00a0x", "é", "日本語", "😀", "1", "1.0", "1e5", "1_000", "0x1f", "yes", "y", "null", "~",
           "2001-01-01", "2001-1-1", "2001-01-01 10:00:00", "2001-01-01T10:00:00Z", "12:30", "=", "<<", "---", "...", "---a", "inf", "nan", ".inf",
           "infinity", "word " * 30, "word  " * 25, "x" * 130, "'quoted' " * 15, "é " * 60, "\"dq\" \x07 " * 20, "a\tb " * 30,
           "line one is here and it is long enough to be folded somewhere near column eighty or so\nline two",
           "${a}", "\\${a}", "???", "\\???", "C:\\x", "a\rb", "a\r\nb", "  two  spaces  inside  " * 6, "k" * 128, "k" * 129]
PATHS = ["a", "b.c", "b.d", "l", "l[0]", "l.1", "l.-1", "l[5]", "b[c]", "[b].c", "[b][c]", "", ".", ".a", "..a", "b..c", "b.", "a.x", "n.x",
         "m", "m.x", "l.x", "x", "x.c", "b\\.c", "k\\.k", "1", "01", "b.c.d", "l[-1]", "l[ 0 ]", "l.+1", "[l][0]"]
NODES = ["1", "hello", "~", "???", "{}", "[]", "{p: 1}", "{p: 2, q: {r: 3}}", "{q: {s: 4}}", "[1, 2]", "[{p: 1}]", "'${b}'", "'${l}'",
         "'${s}'", "'${none}'", "'t ${s}'", "{p: '${s}'}", "true", "1.5", "{1: x}", "{'1': x}", "'\\???'"]
DOTLIST = ["a=1", "a.b=2", "a.b.c=[1, 2]", "b={p: 9}", "b.p=x", "l=[3]", "l.0=5", "l[1]=6", "l.-1=7", "l.9=8", "l.x=1", "s=", "s", "s.t=1",
           "r.p=5", "r.new=1", "r=5", "a\\.b=3", "a\\=b=4", "b.p=???", "b=???", "a= x ", "a='${s}'", "a=${s}", "a=1: 2: 3", "a=b: c",
           "i.1=z", "i.2=new", "a=[1", "=5", "a=\\???", "n.x.y=1", "x[0]=1", "b[q][r]=7"]
DOTLIST_TREE = "b: {p: 1, q: {r: 2}}\nl: [1, 2]\ns: text\nr: ${b}\nn: null\ni: {1: x}\n"


def quoted(text):
    return yaml.safe_dump(text, default_style='"', allow_unicode=False, width=10**9)


def fixed_cases():
    yield "yaml", [case(f"seed-{i}", "resolve", t, {"resolve": False}) for i, t in enumerate(YAML_SEEDS)] + \
        [case(f"scalar-{i}", "resolve", f"k: {s}\n", {"resolve": False}) for i, s in enumerate(SCALARS)] + \
        [case(f"scalar-key-{i}", "resolve", f"{s}: v\n", {"resolve": False}) for i, s in enumerate(SCALARS)] + \
        [case(f"scalar-flow-{i}", "resolve", f"[{s}, {{k: {s}}}]\n", {"resolve": False}) for i, s in enumerate(SCALARS)]
    yield "dump", [case(f"string-{i}", "dump", f"k: {quoted(s)}") for i, s in enumerate(STRINGS)] + \
        [case(f"nested-{i}", "dump", f"a:\n- b: [{quoted(s).strip()}]\n  {quoted(s).strip()}: 1\n")
         for i, s in enumerate(STRINGS)] + \
        [case(f"number-{i}", "dump", f"k: {s}\n") for i, s in enumerate(SCALARS)] + \
        [case(f"structure-{i}", "dump", t) for i, t in enumerate(YAML_SEEDS)] + \
        [case("bytes", "dump", "a: !!binary " + base64.b64encode(bytes(range(200))).decode() + "\nb: [!!binary YQ==]\n")]
    yield "select", [case(f"path-{i}", "select", GRAMMAR_TREE + "${b}\nk.k: 5\n1: one\n", {"key": p}) for i, p in enumerate(PATHS)] + \
        [case(f"interpolation-path-{i}", "select", GRAMMAR_TREE + quoted("${" + p + "}").strip() + "\nk.k: 5\n1: one\n", {"key": "x"})
         for i, p in enumerate(PATHS)]
    tree = "b: {p: 1}\nl: [1, 2]\ns: 5\n"
    yield "merge", [case(f"merge-{i}-{j}", "merge", tree + f"x: {a}\n", {"with": [f"x: {b}\n"]})
                    for i, a in enumerate(NODES) for j, b in enumerate(NODES)]
    yield "override", [case(f"{style}-{i}", "override", DOTLIST_TREE, {"style": style, "overrides": [o]})
                       for style in ("dotlist", "dotlist_inplace") for i, o in enumerate(DOTLIST)]
    rng = random.Random(SEED)
    yield "random", [random_case(rng, i) for i in range(600)]


def mutated(rng):
    text = rng.choice(YAML_SEEDS)
    for _ in range(rng.choice([1, 1, 2, 3])):
        at = rng.randrange(len(text) + 1)
        what = rng.random()
        if what < 0.4:
            text = text[:at] + rng.choice(CHARACTERS) + text[at:]
        elif what < 0.7:
            text = text[:at] + text[at + rng.choice([1, 1, 2, 5]):]
        elif what < 0.9:
            text = text[:at] + rng.choice(CHARACTERS) + text[at + 1:]
        else:
            text = text[:at]
    return text


def random_case(rng, i):
    kind = rng.random()
    if kind < 0.6:
        return case(f"random-yaml-{i}", "resolve", mutated(rng), {"resolve": False})
    value = "${" + "".join(rng.choice(GRAMMAR_PIECES) for _ in range(rng.randrange(1, 7))) + rng.choice(["}", "}", "}", ""])
    if kind < 0.8:
        value = rng.choice(["${oc.create:[", "${oc.decode:'", "${oc.env:NO,"]) + \
            "".join(rng.choice(GRAMMAR_PIECES) for _ in range(rng.randrange(1, 5)))
        value += "]}" if "create" in value[:12] else "'}" if "decode" in value[:12] else "}"
    return case(f"random-grammar-{i}", "select", GRAMMAR_TREE + quoted(value), {"key": "x"})


def write(path, cases):
    cases = [c for c in cases if c]
    path.write_text("[\n" + ",\n".join(json.dumps(c) for c in cases) + "\n]\n")
    print(path, len(cases))


def main():
    if len(sys.argv) > 2:
        rng = random.Random(int(sys.argv[3]) if len(sys.argv) > 3 else 0)
        write(Path(sys.argv[2]), [random_case(rng, i) for i in range(int(sys.argv[1]))])
        return
    folder = Path(__file__).parent / "data" / "config"
    for name, cases in fixed_cases():
        write(folder / f"{name}.json", cases)


if __name__ == "__main__":
    main()
