"""Golden cases of the CLIP text encoders: both pooling rules, both activations, projection, classic key names."""

import copy

import torch
from safetensors.torch import load_file, save_file
from transformers import CLIPTextConfig, CLIPTextModel, CLIPTextModelWithProjection

from common import generator, new_case, randomise, relative_error, save_json, save_tensors

BASE = dict(
    vocab_size=160,
    hidden_size=24,
    intermediate_size=48,
    num_hidden_layers=3,
    num_attention_heads=3,
    max_position_embeddings=77,
    projection_dim=24,
    bos_token_id=158,
)
EOS = 159  # the highest id, as 49407 is in the real vocabulary; the legacy rule relies on that


def prompts(seed, batch, length, pad):
    """Start, words, end, padding: prompts of different lengths, one that fills the row."""
    rows = []
    for i in range(batch):
        words = length - 2 if i == 0 else 3 + 5 * i
        ids = torch.randint(1, 158, (words,), generator=generator(seed + i)).tolist()
        rows.append(([158] + ids + [EOS] + [pad] * length)[:length])
    return torch.tensor(rows)


@torch.no_grad()
def outputs(model, ids):
    out = model(ids, output_hidden_states=True)
    result = {"expect/last_hidden_state": out.last_hidden_state}
    if hasattr(out, "text_embeds"):
        result["expect/text_embeds"] = out.text_embeds
    else:
        result["expect/pooler_output"] = out.pooler_output
    return result | {f"expect/hidden_states.{i}": h for i, h in enumerate(out.hidden_states)}


def write(name, cls, config, seed, note, pad):
    folder = new_case(name)
    model = randomise(cls(CLIPTextConfig(**config)), seed)
    model.save_pretrained(folder)
    double = copy.deepcopy(model).double()
    files = []
    for i, (file, batch, length) in enumerate([("io", 2, 77), ("io_short", 2, 10)]):
        ids = prompts(seed * 10 + 100 * i, batch, length, pad)
        out = outputs(model, ids)
        exact = outputs(double, ids)
        save_tensors(folder / f"{file}.safetensors", {"input_ids": ids} | out)
        files.append({"file": f"{file}.safetensors", "fp32_noise": max(relative_error(out[k], exact[k]) for k in out)})
    save_json(folder / "case.json", {"component": "text_encoder", "class": cls.__name__, "note": note, "io": files})
    return folder, model


def write_other_names(name, source):
    """The same model with the key names of the other generation of files.

    transformers 5 holds the layers of CLIPTextModel at the top; files made before have them below `text_model.`.
    """
    folder = new_case(name)
    tensors = load_file(source / "model.safetensors")
    classic = any(k.startswith("text_model.") for k in tensors)
    rename = (lambda k: k.removeprefix("text_model.")) if classic else (lambda k: f"text_model.{k}")
    tensors = {rename(k): v for k, v in tensors.items()}
    note = "keys without the text_model. prefix"
    if not classic:
        note = "classic keys (text_model. prefix) with the position_ids buffer that old files carry"
        tensors["text_model.embeddings.position_ids"] = torch.arange(77)[None]
    save_file(tensors, folder / "model.safetensors", metadata={"format": "pt"})
    for file in ("config.json", "io.safetensors"):
        (folder / file).write_bytes((source / file).read_bytes())
    save_json(folder / "case.json", {"component": "text_encoder", "class": "CLIPTextModel", "note": note, "io": [{"file": "io.safetensors"}]})


def main():
    legacy = dict(BASE, hidden_act="quick_gelu", eos_token_id=2, bos_token_id=0)
    folder, _ = write("text_clip_l", CLIPTextModel, legacy, 31, "CLIP-L-like: quick_gelu, legacy eos id 2 (pooled at the largest id)", EOS)
    write_other_names("text_classic_keys", folder)
    sd2 = dict(BASE, hidden_act="gelu", eos_token_id=EOS, num_hidden_layers=2, layer_norm_eps=1e-5)
    write("text_sd2", CLIPTextModel, sd2, 32, "SD2-like: gelu, eos id from the file (pooled at its first place), padded with id 0", 0)
    bigg = dict(BASE, hidden_act="gelu", eos_token_id=EOS, projection_dim=20)
    write("text_projection", CLIPTextModelWithProjection, bigg, 33, "SDXL encoder 2: text_embeds through a projection without bias", 0)
