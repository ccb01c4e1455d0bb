"""Measures the demo model with diffusers and writes quality.json and samples.png.

    python resources/demo/evaluate.py [--model resources/demo/model] [--out resources/demo]

All maps are DAAM's: conditional cross-attention of every attn2 layer, mean over heads, summed over
steps, bicubic to 64x64, clamped at zero, mean over layers.
"""

from __future__ import annotations

import argparse
import json
import logging
from pathlib import Path

import cv2
import numpy as np
import torch
from diffusers import DDIMInverseScheduler, StableDiffusionPipeline

import draw
from attention import daam, record_cross_attention
from recognise import find_colour, name_background, name_shape

STEPS = 30
GUIDANCE = 3.0
NOISE_LEVELS = (200, 400, 600)  # at which the video is read
THRESHOLD = 0.4  # of a map's maximum, for its overlap with the mask
SHEET = 64  # pictures on samples.png


class Demo:
    """The pipeline taken apart, with a running sum of the maps."""

    def __init__(self, folder: Path):
        self.pipe = StableDiffusionPipeline.from_pretrained(folder, torch_dtype=torch.float32)
        self.record = record_cross_attention(self.pipe.unet)
        self.sums: list[torch.Tensor] = []

    def embed(self, captions: list[str]) -> torch.Tensor:
        tokenizer = self.pipe.tokenizer
        ids = tokenizer(captions, padding="max_length", max_length=tokenizer.model_max_length, truncation=True,
                        return_tensors="pt").input_ids
        return self.pipe.text_encoder(ids)[0]

    def predict(self, latents: torch.Tensor, t, text: torch.Tensor) -> torch.Tensor:
        """One UNet call; adds the probabilities of the last `len(latents)` rows to the sums."""
        self.record.clear()
        rows = latents.repeat(len(text) // len(latents), 1, 1, 1)
        noise = self.pipe.unet(rows, t, text).sample
        new = [p[-len(latents):] for p in self.record]
        self.sums = [a + b for a, b in zip(self.sums, new)] if self.sums else new
        return noise

    def take_maps(self) -> torch.Tensor:
        maps, self.sums = daam(self.sums), []
        return maps

    def denoise(self, latents: torch.Tensor, text: torch.Tensor, guidance: float) -> torch.Tensor:
        """DDIM from noise to picture; `text` is [conditional] or, with guidance, [empty, conditional]."""
        scheduler = self.pipe.scheduler
        scheduler.set_timesteps(STEPS)
        for t in scheduler.timesteps:
            noise = self.predict(latents, t, text)
            if guidance > 1:
                empty, conditional = noise.chunk(2)
                noise = empty + guidance * (conditional - empty)
            latents = scheduler.step(noise, t, latents).prev_sample
        return latents

    def invert(self, latents: torch.Tensor, text: torch.Tensor) -> torch.Tensor:
        scheduler = DDIMInverseScheduler.from_config(self.pipe.scheduler.config)
        scheduler.set_timesteps(STEPS)
        for t in scheduler.timesteps:
            latents = scheduler.step(self.predict(latents, t, text), t, latents).prev_sample
        return latents

    def encode(self, pictures: np.ndarray) -> torch.Tensor:
        x = torch.from_numpy(pictures).permute(0, 3, 1, 2).float() / 127.5 - 1
        return self.pipe.vae.encode(x).latent_dist.mean * self.pipe.vae.config.scaling_factor

    def decode(self, latents: torch.Tensor) -> np.ndarray:
        y = self.pipe.vae.decode(latents / self.pipe.vae.config.scaling_factor).sample
        return ((y.clamp(-1, 1) + 1) * 127.5).round().byte().permute(0, 2, 3, 1).numpy()


def word_position(thing: int) -> int:
    """Token of the shape word of the first or second thing: "<start> a red circle and a blue square"."""
    return 3 + 4 * thing


def on_grid(mask: np.ndarray, side: int) -> np.ndarray:
    return cv2.resize(mask.astype(np.float32), (side, side), interpolation=cv2.INTER_AREA) >= 0.5


def peaks_inside(word_map: torch.Tensor, mask: np.ndarray) -> bool:
    return bool(on_grid(mask, word_map.shape[-1]).flat[word_map.argmax().item()])


def overlap(word_map: torch.Tensor, mask: np.ndarray, threshold: float) -> float:
    found = (word_map > threshold * word_map.max()).numpy()
    truth = on_grid(mask, word_map.shape[-1])
    return float((found & truth).sum() / (found | truth).sum())


def psnr(a: np.ndarray, b: np.ndarray) -> float:
    return float(10 * np.log10(255**2 / np.mean((a.astype(np.float64) - b) ** 2)))


def check_recogniser(count: int = 500) -> dict:
    """The recogniser must know drawings before it may judge what the model made."""
    rng, hits, total = np.random.default_rng(5), 0, 0
    for _ in range(count):
        scene = draw.random_scene(rng)
        picture, _ = draw.paint(scene, rng)
        for thing in scene.things:
            mask = find_colour(picture, thing.colour)
            hits += mask is not None and name_shape(mask) == thing.shape
            total += 1
    return {"drawings": count, "objects": total, "right": hits / total}


def measure_generation(demo: Demo, count: int) -> tuple[dict, np.ndarray]:
    rng, generator = np.random.default_rng(6), torch.Generator("cpu").manual_seed(0)
    scenes = [draw.random_scene(rng, held_out=True) for _ in range(count)]
    pictures = []
    words = found = shaped = inside = right = backgrounds = 0
    for start in range(0, count, 20):
        batch = scenes[start : start + 20]
        text = demo.embed([""] * len(batch) + [s.caption for s in batch])
        latents = demo.denoise(torch.randn(len(batch), 4, 32, 32, generator=generator), text, GUIDANCE)
        maps, made = demo.take_maps(), demo.decode(latents)
        pictures.append(made)
        for scene, picture, picture_maps in zip(batch, made, maps):
            all_right = True
            for i, thing in enumerate(scene.things):
                mask = find_colour(picture, thing.colour)
                words += 1
                found += mask is not None
                shape_right = mask is not None and name_shape(mask) == thing.shape
                shaped += shape_right
                all_right &= shape_right
                inside += mask is not None and peaks_inside(picture_maps[word_position(i)], mask)
            right += all_right
            backgrounds += name_background(picture) == scene.background
    return {
        "captions": count,
        "steps": STEPS,
        "guidance_scale": GUIDANCE,
        "shape_words": words,
        "colour_found": found / words,
        "colour_and_shape_right": shaped / words,
        "pictures_all_right": right / count,
        "background_right": backgrounds / count,
        "peak_inside_of_all_words": inside / words,
        "peak_inside_of_found_shapes": inside / max(found, 1),
    }, np.concatenate(pictures)


def read_video(folder: Path) -> tuple[np.ndarray, list[list[np.ndarray]]]:
    capture, frames = cv2.VideoCapture(str(folder / "video.mp4")), []
    while (read := capture.read())[0]:
        frames.append(cv2.cvtColor(read[1], cv2.COLOR_BGR2RGB))
    masks = [[cv2.imread(str(folder / "masks" / thing.shape / f"{i:04d}.png"), cv2.IMREAD_GRAYSCALE) > 127
              for thing in draw.demo_scene(i).things] for i in range(len(frames))]
    return np.stack(frames), masks


def score_maps(maps: torch.Tensor, masks: list[list[np.ndarray]], threshold: float) -> dict:
    pairs = [(maps[f, word_position(i)], mask) for f, frame in enumerate(masks) for i, mask in enumerate(frame)]
    return {"peak_inside": float(np.mean([peaks_inside(m, mask) for m, mask in pairs])),
            "mean_iou": float(np.mean([overlap(m, mask, threshold) for m, mask in pairs]))}


def measure_video(demo: Demo, folder: Path) -> dict:
    frames, masks = read_video(folder)
    latents = demo.encode(frames)
    text = demo.embed([draw.DEMO_CAPTION] * len(frames))
    generator = torch.Generator("cpu").manual_seed(0)
    noise = torch.randn(latents.shape, generator=generator)
    maps = []
    for level in NOISE_LEVELS:
        demo.predict(demo.pipe.scheduler.add_noise(latents, noise, torch.tensor([level])), level, text)
        maps.append(demo.take_maps())
    inspected = sum(maps)

    noisy = demo.invert(latents, text)
    inversion_maps = demo.take_maps()
    back = demo.decode(demo.denoise(noisy, text, 1.0))
    reconstruction_maps = demo.take_maps()
    return {
        "frames": len(frames),
        "inspect": {
            "noise_levels": NOISE_LEVELS,
            "threshold": THRESHOLD,
            **score_maps(inspected, masks, THRESHOLD),
            "by_level": {level: score_maps(m, masks, THRESHOLD) for level, m in zip(NOISE_LEVELS, maps)},
            "mean_iou_by_threshold": {t: score_maps(inspected, masks, t)["mean_iou"] for t in (0.3, 0.4, 0.5, 0.6)},
        },
        "inversion": score_maps(inversion_maps, masks, THRESHOLD),
        "reconstruction": {
            **score_maps(reconstruction_maps, masks, THRESHOLD),
            "psnr": psnr(back, frames),
            "psnr_of_vae_alone": psnr(demo.decode(latents), frames),
        },
    }


def write_sheet(pictures: np.ndarray, path: Path, columns: int = 8, side: int = 96) -> None:
    small = [cv2.resize(p, (side, side), interpolation=cv2.INTER_AREA) for p in pictures]
    rows = [np.hstack(small[i : i + columns]) for i in range(0, len(small), columns)]
    cv2.imwrite(str(path), cv2.cvtColor(np.vstack(rows), cv2.COLOR_RGB2BGR))


def rounded(value):
    if isinstance(value, dict):
        return {key: rounded(v) for key, v in value.items()}
    return round(value, 4) if isinstance(value, float) else value


if __name__ == "__main__":
    here = Path(__file__).parent
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--model", type=Path, default=here / "model")
    parser.add_argument("--out", type=Path, default=here)
    parser.add_argument("--captions", type=int, default=100)
    args = parser.parse_args()
    logging.getLogger("transformers").setLevel(logging.ERROR)
    args.out.mkdir(parents=True, exist_ok=True)
    with torch.no_grad():
        demo = Demo(args.model)
        generation, pictures = measure_generation(demo, args.captions)
        quality = rounded({"recogniser": check_recogniser(), "generation": generation,
                           "video": measure_video(demo, here)})
    write_sheet(pictures[:SHEET], args.out / "samples.png")
    text = json.dumps(quality, indent=2)
    (args.out / "quality.json").write_text(text + "\n", encoding="utf-8")
    print(text)
