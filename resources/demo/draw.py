"""Draws the demo world: flat shapes on a plain background, with captions and exact masks.

Everything that teaches or tests the demo model comes from here, so that a picture, its caption and
its ground truth can never disagree. Run as a program it writes the demo video and its masks:

    python resources/demo/draw.py [--out resources/demo]
"""

from __future__ import annotations

import argparse
import os
import zlib
from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np

SIZE = 128
SUPERSAMPLE = 4

COLOURS = {
    "red": (215, 35, 35),
    "orange": (245, 135, 20),
    "yellow": (245, 220, 40),
    "green": (35, 160, 60),
    "cyan": (50, 205, 215),
    "blue": (40, 70, 215),
    "purple": (145, 45, 175),
}
BACKGROUNDS = {
    "gray": (128, 128, 128),
    "white": (240, 240, 240),
    "black": (20, 20, 20),
    "beige": (222, 200, 165),
}
SHAPES = ("circle", "square", "triangle", "star", "cross", "heart")
GLUE = ("a", "and", "on", "background")

DEMO_CAPTION = "a red circle and a blue square on a gray background"
DEMO_FRAMES = 24
DEMO_FPS = 8


def outline(shape: str) -> np.ndarray:
    """The shape as a polygon of about unit radius, y pointing down."""
    if shape == "circle":
        angles = np.linspace(0, 2 * np.pi, 72, endpoint=False)
        return np.stack([np.cos(angles), np.sin(angles)], 1)
    if shape == "square":
        return 0.88 * np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]], float)
    if shape == "triangle":
        angles = np.deg2rad([-90, 30, 150])
        return 1.25 * np.stack([np.cos(angles), np.sin(angles)], 1) + [0, 0.15]
    if shape == "star":
        angles = np.deg2rad(-90 + 36 * np.arange(10))
        radii = np.where(np.arange(10) % 2 == 0, 1.25, 0.5)
        return np.stack([radii * np.cos(angles), radii * np.sin(angles)], 1)
    if shape == "cross":
        a, b = 0.36, 1.08
        return np.array([[-a, -b], [a, -b], [a, -a], [b, -a], [b, a], [a, a],
                         [a, b], [-a, b], [-a, a], [-b, a], [-b, -a], [-a, -a]])
    if shape == "heart":
        t = np.linspace(0, 2 * np.pi, 72, endpoint=False)
        x = 16 * np.sin(t) ** 3
        y = -(13 * np.cos(t) - 5 * np.cos(2 * t) - 2 * np.cos(3 * t) - np.cos(4 * t))
        return np.stack([x, y - 2], 1) / 15.0
    raise ValueError(f"unknown shape {shape!r}, expected one of {', '.join(SHAPES)}")


@dataclass
class Thing:
    """One object of a scene; centre and radius in pixels, angle in degrees."""

    shape: str
    colour: str
    x: float
    y: float
    radius: float
    angle: float = 0.0

    def coverage(self) -> np.ndarray:
        """How much of each pixel the shape covers, 0 to 1 (antialiased by supersampling)."""
        c, s = np.cos(np.deg2rad(self.angle)), np.sin(np.deg2rad(self.angle))
        points = outline(self.shape) @ np.array([[c, s], [-s, c]]) * self.radius + [self.x, self.y]
        big = np.zeros((SIZE * SUPERSAMPLE, SIZE * SUPERSAMPLE), np.uint8)
        fixed_point = np.round(points * SUPERSAMPLE * 16).astype(np.int32)
        cv2.fillPoly(big, [fixed_point], 255, shift=4)
        return cv2.resize(big, (SIZE, SIZE), interpolation=cv2.INTER_AREA).astype(np.float32) / 255


@dataclass
class Scene:
    """Things from back to front on a background. The caption names them in the order of `things`."""

    things: list[Thing]
    background: str

    @property
    def caption(self) -> str:
        return caption_of([(t.colour, t.shape) for t in self.things], self.background)


def caption_of(objects: list[tuple[str, str]], background: str) -> str:
    return " and ".join(f"a {c} {s}" for c, s in objects) + f" on a {background} background"


def is_held_out(caption: str) -> bool:
    """One caption in twelve is never trained on; evaluate.py asks for exactly those."""
    return zlib.crc32(caption.encode()) % 12 == 0


def random_objects(rng: np.random.Generator) -> tuple[list[tuple[str, str]], str]:
    count = 1 if rng.random() < 0.25 else 2
    colours = rng.choice(list(COLOURS), count, replace=False)
    shapes = rng.choice(SHAPES, count)
    return [(str(c), str(s)) for c, s in zip(colours, shapes)], str(rng.choice(list(BACKGROUNDS)))


def random_scene(rng: np.random.Generator, held_out: bool = False) -> Scene:
    """One or two objects, apart from each other except in about one scene of ten."""
    while True:
        objects, background = random_objects(rng)
        if is_held_out(caption_of(objects, background)) == held_out:
            break
    may_overlap = rng.random() < 0.1
    while True:
        things = []
        for colour, shape in objects:
            radius = rng.uniform(20, 32) if len(objects) == 1 else rng.uniform(17, 26)
            margin = radius * 1.2 + 1
            x, y = rng.uniform(margin, SIZE - margin, 2)
            things.append(Thing(shape, colour, x, y, radius, rng.uniform(-8, 8)))
        if len(things) == 1:
            return Scene(things, background)
        a, b = things
        distance = np.hypot(a.x - b.x, a.y - b.y) / (a.radius + b.radius)
        if distance > (0.75 if may_overlap else 1.2):
            return Scene(things, background)


def paint(scene: Scene, rng: np.random.Generator | None = None) -> tuple[np.ndarray, list[np.ndarray]]:
    """The picture (uint8 RGB) and, per thing, the visible part of its coverage (float).

    With `rng` every colour is moved a little, so that a colour word means a range and not one value.
    """
    def shade(rgb: tuple[int, int, int]) -> np.ndarray:
        shift = rng.uniform(-8, 8, 3) if rng is not None else 0
        return np.clip(np.array(rgb, np.float32) + shift, 0, 255)

    picture = np.broadcast_to(shade(BACKGROUNDS[scene.background]), (SIZE, SIZE, 3)).astype(np.float32)
    visible: list[np.ndarray] = []
    for thing in scene.things:
        cover = thing.coverage()
        picture = picture * (1 - cover[..., None]) + shade(COLOURS[thing.colour]) * cover[..., None]
        visible = [v * (1 - cover) for v in visible] + [cover]
    return np.round(picture).astype(np.uint8), visible


def demo_scene(frame: int) -> Scene:
    """The circle swings along the top from left to right while the square crosses below it."""
    u = frame / (DEMO_FRAMES - 1)
    circle = Thing("circle", "red", 30 + 66 * u, 42 - 10 * np.sin(np.pi * u), 22)
    square = Thing("square", "blue", 94 - 60 * u, 92 + 6 * np.sin(2 * np.pi * u), 21)
    return Scene([circle, square], "gray")


def write_demo_video(folder: Path) -> None:
    # Constant fine quantiser: at the encoder's default bit rate the colours of a picture this small wash out.
    os.environ["OPENCV_FFMPEG_WRITER_OPTIONS"] = "qmin;1|qmax;1|g;1"
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / "video.mp4"
    writer = cv2.VideoWriter(str(path), cv2.CAP_FFMPEG, cv2.VideoWriter_fourcc(*"mp4v"), DEMO_FPS, (SIZE, SIZE))
    if not writer.isOpened():
        raise RuntimeError(f"OpenCV cannot encode {path}: its FFmpeg backend has no MPEG-4 encoder")
    for index in range(DEMO_FRAMES):
        scene = demo_scene(index)
        picture, visible = paint(scene)
        writer.write(cv2.cvtColor(picture, cv2.COLOR_RGB2BGR))
        for thing, cover in zip(scene.things, visible):
            mask_folder = folder / "masks" / thing.shape
            mask_folder.mkdir(parents=True, exist_ok=True)
            cv2.imwrite(str(mask_folder / f"{index:04d}.png"), np.uint8(cover > 0.5) * 255)
    writer.release()


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description="Write the demo video and its masks.")
    parser.add_argument("--out", type=Path, default=Path(__file__).parent)
    write_demo_video(parser.parse_args().out)
