"""Golden cases of the heat-map recipes: daam and p2p16 written down once more, in double precision.

`data/recipes/io.safetensors` holds, for each case of `cases.json`, `<case>/maps/<processor key>` [frames, tokens, h, w]
and `<case>/expect/<recipe>/<word>` [frames, h, w].
"""

import torch
import torch.nn.functional as F

from common import generator, new_case, save_json, save_tensors

# (place, grid): diffusers' order of keys is down, up, mid here, as attn_processors lists them for SD.
CASES = {
    "wide": {
        "latent": (16, 24),
        "frames": 3,
        "tokens": 9,
        "grids": {"down": [(16, 24), (8, 12), (4, 6)], "up": [(4, 6), (8, 12), (16, 24)], "mid": [(2, 3)]},
        "words": {"one": [2], "pieces": [4, 5, 7]},
    },
    "odd": {  # stride-2 convolutions with padding 1 round up: 9 -> 5 -> 3 -> 2
        "latent": (9, 13),
        "frames": 2,
        "tokens": 7,
        "grids": {"down": [(9, 13), (5, 7), (3, 4)], "up": [(3, 4), (5, 7)], "mid": [(2, 2)]},
        "words": {"one": [0], "pieces": [1, 6]},
    },
    "tall": {  # the mid block lies on the quarter grid too and must stay out
        "latent": (32, 20),
        "frames": 1,
        "tokens": 5,
        "grids": {"down": [(16, 10), (8, 5)], "up": [(8, 5), (16, 10)], "mid": [(8, 5)]},
        "words": {"one": [3], "pieces": [1, 2]},
    },
}


def key(place, index):
    block = "mid_block" if place == "mid" else f"{place}_blocks.{index}"
    return f"{block}.attentions.0.transformer_blocks.0.attn2.processor"


def probabilities(seed, frames, tokens, h, w):
    """Sharp softmax over the tokens: peaks beside near-zero cells make bicubic undershoot."""
    logits = 4 * torch.randn(frames, tokens, h, w, generator=generator(seed))
    return logits.softmax(1)


def daam(layers, latent, positions):
    maps = []
    for name, a in layers.items():
        if name.startswith("mid_block"):
            continue
        up = F.interpolate(a.double()[:, positions], size=latent, mode="bicubic", align_corners=False)
        maps.append(up.clamp(min=0))
    return torch.stack(maps).mean(0).mean(1)


def p2p16(layers, latent, positions):
    half = [(n + 1) // 2 for n in latent]
    quarter = tuple((n + 1) // 2 for n in half)
    maps = [
        a.double()[:, positions]
        for name, a in layers.items()
        if not name.startswith("mid_block") and tuple(a.shape[-2:]) == quarter
    ]
    assert maps, quarter
    return torch.stack(maps).mean((0, 2))


def main():
    folder = new_case("recipes")
    tensors, listed = {}, {}
    for number, (name, case) in enumerate(CASES.items()):
        layers, seed = {}, 900 + 50 * number
        for place, grids in case["grids"].items():
            for index, grid in enumerate(grids):
                seed += 1
                layers[key(place, index)] = probabilities(seed, case["frames"], case["tokens"], *grid)
        for layer, maps in layers.items():
            tensors[f"{name}/maps/{layer}"] = maps
        for word, positions in case["words"].items():
            for recipe in (daam, p2p16):
                expected = recipe(layers, case["latent"], positions).float()
                assert (expected >= 0).all()
                tensors[f"{name}/expect/{recipe.__name__}/{word}"] = expected
        listed[name] = {"latent": list(case["latent"]), "words": case["words"], "layers": list(layers)}
    save_tensors(folder / "io.safetensors", tensors)
    save_json(folder / "cases.json", listed)


if __name__ == "__main__":
    main()
