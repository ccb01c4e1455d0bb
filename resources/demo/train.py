"""Trains the demo model from nothing: first the VAE, then the UNet together with its text encoder.

    python resources/demo/train.py vae    --scratch DIR [--minutes 11]
    python resources/demo/train.py unet   --scratch DIR [--minutes 65]
    python resources/demo/train.py export --scratch DIR [--out resources/demo/model]

Both stages keep a checkpoint in the scratch folder and go on from it when started again. Learning
rates follow the fraction of the time budget that has passed, not a number of steps: on a busy
machine the run gets shorter, but it still ends with a small learning rate.

With glibc, MALLOC_MMAP_THRESHOLD_=10000000000 MALLOC_TRIM_THRESHOLD_=100000000000 keep freed memory
in the process; encoding the pictures became several times faster by that alone.
"""

from __future__ import annotations

import argparse
import copy
import math
import time
from pathlib import Path

import numpy as np
import torch
import torch.distributed as dist
import torch.nn.functional as F
from diffusers import AutoencoderKL, DDIMScheduler, StableDiffusionPipeline, UNet2DConditionModel
from safetensors.torch import load_file, save_file
from transformers import CLIPTextConfig, CLIPTextModel, CLIPTokenizer

import draw
from attention import as_grid, record_cross_attention
from muon import Muon
from vocabulary import MAX_LENGTH, write_tokenizer


class Clock:
    """Time spent on a stage, carried over restarts, as a fraction of its budget."""

    def __init__(self, minutes: float, spent: float = 0.0):
        self.budget = minutes * 60
        self.start = time.monotonic() - spent

    @property
    def spent(self) -> float:
        return time.monotonic() - self.start

    @property
    def fraction(self) -> float:
        return min(self.spent / self.budget, 1.0)


def learning_rate(peak: float, fraction: float, step: int, warm_steps: int = 200) -> float:
    return peak * min(1.0, (step + 1) / warm_steps) * (0.5 + 0.5 * math.cos(math.pi * fraction))


def save(path: Path, state: dict) -> None:
    """Through a second name, so that a stop while writing leaves the last checkpoint whole."""
    partial = path.with_suffix(".partial")
    torch.save(state, partial)
    partial.replace(path)


# --- VAE ---------------------------------------------------------------------------------------


def new_vae() -> AutoencoderKL:
    return AutoencoderKL(
        in_channels=3,
        out_channels=3,
        down_block_types=["DownEncoderBlock2D"] * 3,
        up_block_types=["UpDecoderBlock2D"] * 3,
        block_out_channels=[16, 32, 64],
        layers_per_block=1,
        latent_channels=4,
        norm_num_groups=8,
        mid_block_add_attention=False,
        sample_size=draw.SIZE,
    )


def crops_around_objects(rng: np.random.Generator, count: int, side: int = 64):
    """Batches of crops near objects: a whole picture is mostly background, which teaches little."""
    scenes = [draw.random_scene(rng) for _ in range(3000)]
    pictures = [draw.paint(scene, rng)[0] for scene in scenes]
    while True:
        batch = np.empty((count, side, side, 3), np.uint8)
        for i in range(count):
            pick = rng.integers(len(scenes))
            thing = scenes[pick].things[rng.integers(len(scenes[pick].things))]
            corner = np.array([thing.y, thing.x]) - side / 2 + rng.uniform(-30, 30, 2)
            y, x = np.clip(corner.astype(int), 0, draw.SIZE - side)
            crop = pictures[pick][y : y + side, x : x + side]
            batch[i] = crop[:, ::-1] if rng.random() < 0.5 else crop
        yield torch.from_numpy(batch).permute(0, 3, 1, 2).float() / 127.5 - 1


def train_vae(scratch: Path, minutes: float, batch: int = 16, peak: float = 1.5e-3) -> None:
    torch.manual_seed(1)
    vae = new_vae()
    optimizer = torch.optim.AdamW(vae.parameters(), peak, weight_decay=1e-4, fused=True)
    checkpoint, step, spent = scratch / "vae.pt", 0, 0.0
    if checkpoint.exists():
        state = torch.load(checkpoint)
        vae.load_state_dict(state["vae"])
        optimizer.load_state_dict(state["optimizer"])
        step, spent = state["step"], state["spent"]
    batches = crops_around_objects(np.random.default_rng(1000 + step), batch)
    clock, shown = Clock(minutes, spent), [0.0, 0.0]
    while clock.fraction < 1:
        for group in optimizer.param_groups:
            group["lr"] = learning_rate(peak, clock.fraction, step)
        x = next(batches)
        with torch.autocast("cpu", torch.bfloat16):
            posterior = vae.encode(x).latent_dist
            y = vae.decode(posterior.sample()).sample.float()
        squared, absolute = F.mse_loss(y, x), F.l1_loss(y, x)
        kl = posterior.kl().mean() / posterior.mean[0].numel()
        optimizer.zero_grad()
        (2 * squared + absolute + 1e-4 * kl).backward()
        torch.nn.utils.clip_grad_norm_(vae.parameters(), 1.0)
        optimizer.step()
        shown = [0.98 * old + 0.02 * new.item() for old, new in zip(shown, (squared, absolute))]
        step += 1
        if step % 100 == 0:
            print(f"vae {step} {clock.spent:.0f}s mse {shown[0]:.5f} l1 {shown[1]:.4f} kl {kl.item():.2f} "
                  f"crops/s {step * batch / clock.spent:.0f}", flush=True)
        if step % 500 == 0 or clock.fraction >= 1:
            save(checkpoint, {"vae": vae.state_dict(), "optimizer": optimizer.state_dict(),
                              "step": step, "spent": clock.spent})
    balance_channels(vae)
    save(scratch / "vae_done.pt", vae.state_dict())


# --- UNet and text encoder ---------------------------------------------------------------------

ATTENTION_WEIGHT = 0.01  # of the whole extra loss on the maps
COVERAGE_WEIGHT = 0.5  # of its coverage part; four times as much made fuller maps but ragged shapes
OFFSET_NOISE = 0.1  # per channel; without it backgrounds drift to gray
EMPTY_PROMPTS = 0.1  # for classifier-free guidance
GRID = 16  # side of the masks kept for the loss on the maps
REGIONS = 3  # two things and the background


def new_text_encoder(tokenizer: CLIPTokenizer) -> CLIPTextModel:
    return CLIPTextModel(CLIPTextConfig(
        vocab_size=len(tokenizer),
        hidden_size=64,
        intermediate_size=256,
        num_hidden_layers=2,
        num_attention_heads=4,
        max_position_embeddings=MAX_LENGTH,
        bos_token_id=tokenizer.bos_token_id,
        eos_token_id=tokenizer.eos_token_id,
        pad_token_id=tokenizer.pad_token_id,
    ))


def new_unet() -> UNet2DConditionModel:
    return UNet2DConditionModel(
        sample_size=draw.SIZE // 4,
        down_block_types=["DownBlock2D", "CrossAttnDownBlock2D", "CrossAttnDownBlock2D"],
        up_block_types=["CrossAttnUpBlock2D", "CrossAttnUpBlock2D", "UpBlock2D"],
        block_out_channels=[32, 96, 128],
        layers_per_block=1,
        attention_head_dim=[2, 2, 4],
        cross_attention_dim=64,
        norm_num_groups=16,
    )


def new_scheduler() -> DDIMScheduler:
    return DDIMScheduler(beta_schedule="scaled_linear", beta_start=0.00085, beta_end=0.012, clip_sample=False,
                         set_alpha_to_one=False, steps_offset=1)


@torch.no_grad()
def balance_channels(vae: AutoencoderKL) -> None:
    """Centres the latent channels and gives them one spread, exactly, inside the 1x1 convolutions.

    Training leaves the channels up to eight times apart in spread. The UNet sees one noise level for
    all of them, so a narrow channel would drown long before a wide one.
    """
    rng = np.random.default_rng(8)
    pictures = np.stack([draw.paint(draw.random_scene(rng), rng)[0] for _ in range(64)])
    latents = vae.encode(torch.from_numpy(pictures).permute(0, 3, 1, 2).float() / 127.5 - 1).latent_dist.mean
    mean, spread = latents.mean((0, 2, 3)), latents.std((0, 2, 3))
    gain = spread.square().mean().sqrt() / spread
    before, after = vae.quant_conv, vae.post_quant_conv
    before.bias[:4] = (before.bias[:4] - mean) * gain
    before.weight[:4] *= gain[:, None, None, None]
    before.bias[4:] += 2 * gain.log()  # these rows are log variances
    after.bias += after.weight[:, :, 0, 0] @ mean
    after.weight /= gain[None, :, None, None]


class Dataset:
    """Scenes encoded once: latents, token ids, and for each region its mask and the words naming it."""

    def __init__(self, vae: AutoencoderKL, tokenizer: CLIPTokenizer, count: int):
        rng = np.random.default_rng(2)
        self.latents = torch.empty(count, 4, draw.SIZE // 4, draw.SIZE // 4)
        self.masks = torch.zeros(count, REGIONS, GRID, GRID)
        self.words = torch.zeros(count, REGIONS, MAX_LENGTH)
        captions = []
        vae = vae.to(memory_format=torch.channels_last)
        for start in range(0, count, 32):
            rows = range(start, min(start + 32, count))
            pictures = []
            for row in rows:
                scene = draw.random_scene(rng)
                picture, visible = draw.paint(scene, rng)
                pictures.append(picture)
                captions.append(scene.caption)
                self._describe(row, scene, visible)
            batch = torch.from_numpy(np.stack(pictures)).permute(0, 3, 1, 2).float() / 127.5 - 1
            batch = batch.contiguous(memory_format=torch.channels_last)
            with torch.no_grad(), torch.autocast("cpu", torch.bfloat16):
                self.latents[start : start + len(rows)] = vae.encode(batch).latent_dist.mean.float()
        self.scale = 1 / self.latents.std().item()
        self.latents *= self.scale
        self.ids = tokenizer(captions, padding="max_length", max_length=MAX_LENGTH, return_tensors="pt").input_ids

    def _describe(self, row: int, scene: draw.Scene, visible: list[np.ndarray]) -> None:
        # "<start> a red circle and a blue square on a gray background": one token a word.
        regions = [*visible, 1 - sum(visible)]
        for i, region in enumerate(regions):
            place = i if i < len(visible) else REGIONS - 1
            self.masks[row, place] = torch.from_numpy(
                region.reshape(GRID, draw.SIZE // GRID, GRID, draw.SIZE // GRID).mean((1, 3)))
            last = 3 + 4 * i  # the shape word, or "background"
            self.words[row, place, last - 1 : last + 1] = 0.5

    def state(self) -> dict:
        return self.__dict__

    @classmethod
    def load(cls, path: Path) -> Dataset:
        dataset = cls.__new__(cls)
        dataset.__dict__.update(torch.load(path))
        return dataset


def attention_loss(record: list[torch.Tensor], words: torch.Tensor, masks: torch.Tensor, weight: torch.Tensor):
    """Pulls each region's words into its mask: minus log of the mass inside, and 1 - Dice for coverage.

    Layers of one size are averaged first, so that single layers and heads stay free. `weight` per
    picture is the share of signal: in pure noise nobody can know where a shape will be.
    """
    total = torch.zeros(())
    sides = sorted({as_grid(p).shape[-1] for p in record})
    for side in sides:
        mean = torch.stack([p for p in record if p.shape[1] == side * side]).mean(0)
        maps = torch.einsum("brt,bqt->brq", words, mean)
        mask = F.adaptive_avg_pool2d(masks, side).flatten(2)
        inside = (maps * mask).sum(2) / (maps.sum(2) + 1e-6)
        relative = maps / (maps.amax(2, keepdim=True) + 1e-6)
        dice = 2 * (relative * mask).sum(2) / (relative.square().sum(2) + mask.square().sum(2) + 1e-6)
        loss = -torch.log(inside + 1e-4) + COVERAGE_WEIGHT * (1 - dice)
        present = (words.sum(2) > 0) & (mask.amax(2) > 0.5)
        total = total + (loss * present * weight[:, None]).sum() / present.sum().clamp(min=1)
    return total / len(sides)


@torch.no_grad()
def update_average(average: torch.nn.Module, model: torch.nn.Module, step: int) -> None:
    decay = min(0.998, (1 + step) / (10 + step))
    for a, m in zip(average.parameters(), model.parameters()):
        a.lerp_(m, 1 - decay)


def average_gradients(model: torch.nn.Module, fraction: float) -> float:
    """Over the workers, in one message; also tells all of them the first one's clock."""
    gradients = [p.grad for p in model.parameters()]
    message = torch.cat([*(g.flatten() for g in gradients), torch.tensor([fraction if dist.get_rank() == 0 else 0.0])])
    dist.all_reduce(message)
    for gradient, part in zip(gradients, message[:-1].split([g.numel() for g in gradients])):
        gradient.copy_(part.view_as(gradient) / dist.get_world_size())
    return message[-1].item()


def new_optimizers(model: torch.nn.Module, rate: float) -> list[torch.optim.Optimizer]:
    """Muon for what multiplies, AdamW for embeddings, biases and norms."""
    matrices, others = [], []
    for name, p in model.named_parameters():
        (others if p.ndim < 2 or "embedding" in name and "text" in name else matrices).append(p)
    return [Muon(matrices, rate), torch.optim.AdamW(others, rate, weight_decay=0.0)]


def train_unet(rank: int, workers: int, scratch: Path, minutes: float, batch: int, peak: float) -> None:
    torch.set_num_threads(1)
    dist.init_process_group("gloo", store=dist.FileStore(str(scratch / "workers"), workers), rank=rank,
                            world_size=workers)
    tokenizer = CLIPTokenizer.from_pretrained(scratch / "tokenizer")
    data = Dataset.load(scratch / "dataset.pt")
    torch.manual_seed(3)
    model = torch.nn.ModuleDict({"unet": new_unet(), "text_encoder": new_text_encoder(tokenizer)})
    average = copy.deepcopy(model).requires_grad_(False)
    record = record_cross_attention(model["unet"])
    optimizers = new_optimizers(model, peak)
    checkpoint, step, spent = scratch / "unet.pt", 0, 0.0
    if checkpoint.exists():
        state = torch.load(checkpoint)
        model.load_state_dict(state["model"])
        average.load_state_dict(state["average"])
        for optimizer, saved_state in zip(optimizers, state["optimizers"]):
            optimizer.load_state_dict(saved_state)
        step, spent = state["step"], state["spent"]
    scheduler = new_scheduler()
    empty = tokenizer("", padding="max_length", max_length=MAX_LENGTH, return_tensors="pt").input_ids[0]
    generator = torch.Generator().manual_seed(100 * step + rank)
    clock, shown, saved, fraction = Clock(minutes, spent), {}, spent, 0.0
    first_step, first_spent = step, spent
    while fraction < 1:
        rows = torch.randint(len(data.latents), (batch,), generator=generator)
        latents, masks, words, ids = data.latents[rows], data.masks[rows], data.words[rows], data.ids[rows]
        dropped = torch.rand(batch, generator=generator) < EMPTY_PROMPTS
        ids = torch.where(dropped[:, None], empty, ids)
        words = words * ~dropped[:, None, None]
        noise = torch.randn(latents.shape, generator=generator)
        noise = noise + OFFSET_NOISE * torch.randn(batch, 4, 1, 1, generator=generator)
        # One timestep from each of `batch` equal ranges: less variance than independent draws.
        t = ((torch.arange(batch) + torch.rand(batch, generator=generator)) * 1000 / batch).long()
        signal = scheduler.alphas_cumprod[t]

        record.clear()
        with torch.autocast("cpu", torch.bfloat16):
            text = model["text_encoder"](ids).last_hidden_state
            predicted = model["unet"](scheduler.add_noise(latents, noise, t), t, text).sample.float()
        # Min-SNR-5: the last bit of sharpness must not crowd out where and what the shapes are.
        snr = signal / (1 - signal)
        error = (F.mse_loss(predicted, noise, reduction="none").mean((1, 2, 3)) * (5 / snr).clamp(max=1)).mean()
        maps = attention_loss(record, words, masks, signal)
        model.zero_grad()
        (error + ATTENTION_WEIGHT * maps).backward()
        fraction = average_gradients(model, clock.fraction)
        torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        for optimizer in optimizers:
            for group in optimizer.param_groups:
                group["lr"] = learning_rate(peak, fraction, step, warm_steps=50)
            optimizer.step()
        step += 1
        if rank > 0:
            continue
        update_average(average, model, step)
        for name, value in {"noise": error.item(), "maps": maps.item()}.items():
            shown[name] = 0.98 * shown.get(name, value) + 0.02 * value
        if step % 25 == 0:
            speed = (step - first_step) * batch * workers / (clock.spent - first_spent)
            print(f"unet {step} {clock.spent:.0f}s noise {shown['noise']:.4f} maps {shown['maps']:.4f} "
                  f"pictures/s {speed:.1f}", flush=True)
        if clock.spent - saved > 120 or fraction >= 1:
            saved = clock.spent
            save(checkpoint, {"model": model.state_dict(), "average": average.state_dict(), "step": step,
                              "optimizers": [o.state_dict() for o in optimizers], "spent": saved, "losses": shown})
    dist.destroy_process_group()


def start_unet(scratch: Path, minutes: float, pictures: int = 30000, workers: int = 2, batch: int = 12,
               peak: float = 2e-3) -> None:
    """One worker with one thread per core: on a busy machine twice as fast as threads that wait for each other."""
    write_tokenizer(scratch / "tokenizer")
    if not (scratch / "dataset.pt").exists():
        vae = new_vae()
        vae.load_state_dict(torch.load(scratch / "vae_done.pt"))
        save(scratch / "dataset.pt", Dataset(vae, CLIPTokenizer.from_pretrained(scratch / "tokenizer"), pictures).state())
    (scratch / "workers").unlink(missing_ok=True)
    torch.multiprocessing.spawn(train_unet, (workers, scratch, minutes, batch, peak), workers)


# --- Export ------------------------------------------------------------------------------------


def export(scratch: Path, out: Path) -> None:
    """The averaged weights as a diffusers folder, in half precision."""
    tokenizer = CLIPTokenizer.from_pretrained(scratch / "tokenizer")
    vae, unet, text_encoder = new_vae(), new_unet(), new_text_encoder(tokenizer)
    vae.load_state_dict(torch.load(scratch / "vae_done.pt"))
    average = torch.load(scratch / "unet.pt")["average"]
    for name, part in {"unet": unet, "text_encoder": text_encoder}.items():
        part.load_state_dict({key.removeprefix(name + "."): value for key, value in average.items()
                              if key.startswith(name + ".")})
    vae.register_to_config(scaling_factor=Dataset.load(scratch / "dataset.pt").scale)
    pipeline = StableDiffusionPipeline(vae, text_encoder, tokenizer, unet, new_scheduler(), safety_checker=None,
                                       feature_extractor=None, requires_safety_checker=False)
    pipeline.to(torch.float16).save_pretrained(out)
    # Newer transformers write tokenizer.json instead of the files that CLIP's tokenizer is made of.
    for file in (out / "tokenizer").iterdir():
        file.unlink()
    write_tokenizer(out / "tokenizer")
    # They also drop the prefix that every published checkpoint of this text encoder has.
    weights = out / "text_encoder" / "model.safetensors"
    tensors = {f"text_model.{name}": value for name, value in load_file(weights).items()}
    save_file(tensors, weights, metadata={"format": "pt"})
    for weights in out.rglob("*.safetensors"):
        weights.chmod(0o644)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("stage", choices=["vae", "unet", "export"])
    parser.add_argument("--scratch", type=Path, required=True)
    parser.add_argument("--minutes", type=float, help="time budget; 11 for vae, 65 for unet")
    parser.add_argument("--out", type=Path, default=Path(__file__).parent / "model")
    args = parser.parse_args()
    args.scratch.mkdir(parents=True, exist_ok=True)
    if args.stage == "vae":
        train_vae(args.scratch, args.minutes or 11)
    elif args.stage == "unet":
        start_unet(args.scratch, args.minutes or 65)
    else:
        export(args.scratch, args.out)
