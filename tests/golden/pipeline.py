"""A whole StableDiffusionPipeline in miniature: pictures from seeds, DDIM inversion, and torch's normal numbers.

`pipeline/model/` is a complete folder with a tokenizer of its own; `pipeline/runs.json` lists the runs and
`pipeline/io.safetensors` holds `<id>/expect/...` for each.
"""

import shutil
import warnings

import torch
from diffusers import AutoencoderKL, DDIMInverseScheduler, DDIMScheduler, EulerDiscreteScheduler, StableDiffusionPipeline
from transformers import CLIPTextConfig, CLIPTextModel, CLIPTokenizer

import clip_vocab
import files
import text
from common import generator, new_case, randn, randomise, relative_error, save_json_lines, save_tensors
from schedulers import SD, Recorded

WORDS = "a red blue green circle square star on the gray white background and photo of blurry ugly".split()
DDIM = dict(SD, clip_sample=False, set_alpha_to_one=False, steps_offset=1)
SIZE = dict(height=32, width=24)
PROMPT = "a red circle and a blue square on a gray background"
RUNS = [
    dict(id="cfg", prompt=PROMPT, guidance_scale=7.5, seed=11),
    dict(id="no_cfg", prompt=PROMPT, guidance_scale=1.0, seed=2),
    dict(id="batch", prompt=[PROMPT, "photo of a star"], negative_prompt=["blurry", "ugly circle"], guidance_scale=7.5, seed=3),
    dict(id="one_negative", prompt=PROMPT, negative_prompt="blurry", guidance_scale=5.0, seed=4, num_images_per_prompt=2),
    dict(id="seeds", prompt=[PROMPT, PROMPT], guidance_scale=7.5, seeds=[5, 6]),
    dict(id="eta", prompt=PROMPT, guidance_scale=7.5, eta=0.7, seed=7),
    dict(id="euler", prompt=PROMPT, guidance_scale=7.5, seed=8, scheduler="EulerDiscreteScheduler"),
    dict(id="v_prediction", prompt=PROMPT, guidance_scale=3.0, seed=9, prediction_type="v_prediction"),
    dict(id="long_prompt", prompt=" ".join([PROMPT] * 9), guidance_scale=7.5, seed=10),
]


def write_tokenizer(folder):
    """Bytes plus merges that build a few words letter by letter, in the released layout (vocab.json, merges.txt)."""
    merges = []
    for word in WORDS:
        letters = [*word[:-1], word[-1] + "</w>"]
        for i in range(1, len(letters)):
            merge = f"{''.join(letters[:i])} {letters[i]}"
            if merge not in merges:
                merges.append(merge)
    clip_vocab.write(folder, merges)
    return CLIPTokenizer.from_pretrained(folder)


def write_tokens(folder, tokenizer):
    """The new layout alone (tokenizer_v5/), and strings with their ids, which must be the same from both."""
    tokenizer.save_pretrained(folder / "tokenizer_v5")
    again = CLIPTokenizer.from_pretrained(folder / "tokenizer_v5")
    strings = [PROMPT, "", "RED  Circle, star's\n", "Übergröße 猫 😀", "a<|endoftext|>b", "<|StartOfText|> a <|EndOfText|> b"]
    rows = [{"text": s, "ids": tokenizer(s).input_ids} for s in strings]
    assert all(again(r["text"]).input_ids == r["ids"] for r in rows)
    save_json_lines(folder / "tokens.json", rows)


def components(folder):
    tokenizer = write_tokenizer(folder / "tokenizer")
    vocab = len(tokenizer)
    config = dict(text.BASE, vocab_size=vocab, hidden_size=8, intermediate_size=16, num_hidden_layers=2, num_attention_heads=2, projection_dim=8)
    config |= dict(bos_token_id=vocab - 2, eos_token_id=vocab - 1)
    encoder = randomise(CLIPTextModel(CLIPTextConfig(**config)), 61)
    vae = AutoencoderKL(
        down_block_types=("DownEncoderBlock2D",) * 3,
        up_block_types=("UpDecoderBlock2D",) * 3,
        block_out_channels=(4, 4, 8),
        norm_num_groups=2,
        scaling_factor=0.7,
        sample_size=32,
    )
    return dict(tokenizer=tokenizer, text_encoder=encoder, vae=randomise(vae, 62), unet=files.micro_unet())


def build(folder):
    """The pipeline, saved, with the tokenizer in both generations of files.

    transformers 5 saves tokenizer.json and rewrites tokenizer_config.json; released folders have vocab.json, merges.txt.
    """
    pipe = StableDiffusionPipeline(
        **components(folder), scheduler=DDIMScheduler(**DDIM), safety_checker=None, feature_extractor=None, requires_safety_checker=False
    )
    pipe.save_pretrained(folder)
    shutil.rmtree(folder / "tokenizer")
    write_tokenizer(folder / "tokenizer")
    write_tokens(folder.parent, pipe.tokenizer)
    pipe.set_progress_bar_config(disable=True)
    return pipe


def scheduler_of(run):
    if run.get("scheduler") == "EulerDiscreteScheduler":
        return EulerDiscreteScheduler(**SD, timestep_spacing="leading", steps_offset=1)
    return DDIMScheduler(**DDIM, prediction_type=run.get("prediction_type", "epsilon"))


def picture(pipe, run, **more):
    pipe.scheduler = scheduler_of(run)
    known = {k: run[k] for k in ("prompt", "negative_prompt", "guidance_scale", "eta", "num_images_per_prompt") if k in run}
    g = [generator(s) for s in run["seeds"]] if "seeds" in run else generator(run["seed"])
    return pipe(**known, num_inference_steps=5, generator=g, **SIZE, **more).images


@torch.no_grad()
def expect(pipe, run):
    with Recorded() as recorded:
        latents = picture(pipe, run, output_type="latent")
    images = picture(pipe, run, output_type="pil")
    pixels = torch.stack([torch.frombuffer(bytearray(i.tobytes()), dtype=torch.uint8).view(i.height, i.width, 3) for i in images])
    batch = latents.shape[0]
    out = {"expect/latents": latents, "expect/image": pixels}
    out["expect/initial"] = torch.cat(recorded.noise[:batch]) if "seeds" in run else recorded.noise[0]
    floats = pipe.vae.decode(latents / pipe.vae.config.scaling_factor).sample
    out["expect/decoded"] = floats
    positive, negative = pipe.encode_prompt(run["prompt"], "cpu", run.get("num_images_per_prompt", 1), True, run.get("negative_prompt"))
    out |= {"expect/prompt_embeds": positive, "expect/negative_prompt_embeds": negative}
    out["expect/input_ids"] = pipe.tokenizer(run["prompt"], padding="max_length", max_length=77, truncation=True, return_tensors="pt").input_ids
    noise = None
    if "eta" not in run:  # in fp64 from the same start: how much a correct engine may differ
        pipe.to(torch.float64)
        noise = relative_error(latents, picture(pipe, run, output_type="latent", latents=out["expect/initial"].double()))
        pipe.to(torch.float32)
    return out, noise


def invert(eps, x, alphas, steps):
    """DDIM inversion as the specification has it: the network is asked at the target level t."""
    ratio = 1000 // steps
    xs = [x]
    for t in range(1, 1 + ratio * steps, ratio):
        before = alphas[min(t - ratio, 999)] if t >= ratio else alphas[0]
        noise, x0 = eps(x, t, before)
        x = alphas[t] ** 0.5 * x0 + (1 - alphas[t]) ** 0.5 * noise
        xs.append(x)
    return xs


def denoise(eps, x, alphas, steps):
    ratio = 1000 // steps
    xs = [x]
    for t in reversed(range(1, 1 + ratio * steps, ratio)):
        noise, x0 = eps(x, t, alphas[t])
        after = alphas[t - ratio] if t >= ratio else alphas[0]
        x = after**0.5 * x0 + (1 - after) ** 0.5 * noise
        xs.append(x)
    return xs


def through_scheduler(scheduler, unet, x, cond, steps):
    scheduler.set_timesteps(steps)
    xs = [x]
    for t in scheduler.timesteps:
        x = scheduler.step(unet(x, t, cond).sample, t, x).prev_sample
        xs.append(x)
    return xs


@torch.no_grad()
def write_inversion(pipe, folder, steps=10):
    """Inversion and back, by our own loops; checked against diffusers' schedulers before it is written."""
    betas = torch.linspace(SD["beta_start"] ** 0.5, SD["beta_end"] ** 0.5, 1000) ** 2
    alphas = torch.cumprod(1 - betas, 0)
    start, cond = randn(6000, 2, 4, 8, 6), pipe.encode_prompt(["a red star", PROMPT], "cpu", 1, False)[0]
    out = {"latent": start, "encoder_hidden_states": cond}

    def epsilon(x, t, alpha):
        e = pipe.unet(x, t, cond).sample
        return e, (x - (1 - alpha) ** 0.5 * e) / alpha**0.5

    def velocity(x, t, alpha):
        v = pipe.unet(x, t, cond).sample
        return alpha**0.5 * v + (1 - alpha) ** 0.5 * x, alpha**0.5 * x - (1 - alpha) ** 0.5 * v

    for kind, model in {"epsilon": epsilon, "v_prediction": velocity}.items():
        up = invert(model, start, alphas, steps)
        down = denoise(model, up[-1], alphas, steps)
        for cls, ours, x in [(DDIMInverseScheduler, up, start), (DDIMScheduler, down, up[-1])]:
            theirs = through_scheduler(cls(**DDIM, prediction_type=kind), pipe.unet, x, cond, steps)
            error = max(relative_error(a, b) for a, b in zip(ours, theirs))
            assert error < 1e-5, (kind, cls, error)
        out |= {f"{kind}/expect/inverted": torch.stack(up), f"{kind}/expect/reconstructed": torch.stack(down)}
    save_tensors(folder / "io_inversion.safetensors", out)


def write_randn():
    """torch.randn from a CPU generator. Fewer than 16 numbers come one by one (cosine, sine kept for the next call), more
    in blocks of 8 + 8 with the last block drawn again when the size is no multiple of 16; draws continue the state."""
    folder = new_case("randn")
    rows, tensors = [], {}
    shapes = [[1], [2], [3], [7], [15], [16], [17], [31], [32], [33], [100], [1, 4, 8, 8], [2, 4, 9, 13], [3, 5, 1]]
    wanted = [(seed, "float32", [shape]) for seed in (0, 42) for shape in shapes]
    wanted += [(2**40 + 7, "float32", [[20]]), (2**63 - 1, "float32", [[5]]), (123456789, "float32", [[64]])]
    wanted += [(7, "float32", s) for s in ([[3], [3]], [[3], [16], [5]], [[16], [3], [16]], [[1, 4, 8, 8]] * 2, [[1], [1], [1]])]
    wanted += [(9, dtype, [[s]]) for dtype in ("float64", "bfloat16", "float16") for s in (5, 16, 40)]
    for i, (seed, dtype, draws) in enumerate(wanted):
        g = generator(seed)
        for j, shape in enumerate(draws):
            tensors[f"{i}/{j}"] = torch.randn(shape, generator=g, dtype=getattr(torch, dtype))
        rows.append({"id": str(i), "seed": seed, "dtype": dtype, "draws": draws})
    save_tensors(folder / "io.safetensors", tensors)
    save_json_lines(folder / "cases.json", rows)


def main():
    warnings.filterwarnings("ignore")
    folder = new_case("pipeline")
    pipe = build(folder / "model")
    rows, tensors = [], {}
    for run in RUNS:
        out, noise = expect(pipe, run)
        tensors |= {f"{run['id']}/{k}": v for k, v in out.items()}
        rows.append(run | SIZE | {"num_inference_steps": 5} | ({"fp32_noise": noise} if noise else {}))
    save_json_lines(folder / "runs.json", rows)
    save_tensors(folder / "io.safetensors", tensors)
    write_inversion(pipe, folder)
    write_randn()
