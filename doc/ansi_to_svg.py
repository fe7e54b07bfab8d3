#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
# Turns a screen captured with `tmux capture-pane -e -p` into an SVG picture:
#   ansi_to_svg.py < screen.txt > screen.svg
# Braille, blocks and lines are drawn as shapes, so that the picture does not
# depend on the fonts of the machine that shows it.
import re
import sys
import unicodedata
from xml.sax.saxutils import escape

CELL_W, CELL_H, SIZE = 8.4, 18, 14
FOREGROUND, BACKGROUND = "#cdd3de", "#10141b"
ANSI = ["#1b1f27", "#e05561", "#8cc265", "#d18f52", "#4aa5f0", "#c162de", "#42b3c2", "#d7dae0",
        "#5c6370", "#ff616e", "#a5e075", "#f0a45d", "#4dc4ff", "#de73ff", "#4cd1e0", "#ffffff"]
# Arms of box characters: left, right, up, down; 2 is thick.
LINES = {"─": (1, 1, 0, 0), "━": (2, 2, 0, 0), "│": (0, 0, 1, 1), "┃": (0, 0, 2, 2), "├": (0, 1, 1, 1),
         "┤": (1, 0, 1, 1), "┬": (1, 1, 0, 1), "┴": (1, 1, 1, 0), "┼": (1, 1, 1, 1), "└": (0, 1, 1, 0),
         "┘": (1, 0, 1, 0), "┌": (0, 1, 0, 1), "┐": (1, 0, 0, 1)}


def palette(n):
    if n < 16:
        return ANSI[n]
    if n < 232:
        n -= 16
        level = [0, 95, 135, 175, 215, 255]
        return "#%02x%02x%02x" % (level[n // 36], level[n // 6 % 6], level[n % 6])
    return "#%02x%02x%02x" % ((8 + (n - 232) * 10,) * 3)


def color(args):
    """The colour after 38 or 48, and how many numbers it took."""
    if args and args[0] == 2 and len(args) >= 4:
        return "#%02x%02x%02x" % tuple(args[1:4]), 4
    if len(args) >= 2 and args[0] == 5:
        return palette(args[1]), 2
    return None, len(args)


class Style:
    def __init__(self):
        self.reset()

    def reset(self):
        self.fg = self.bg = None
        self.bold = self.dim = self.reverse = self.underline = False

    def feed(self, text):
        args = [int(a) if a else 0 for a in re.split("[;:]", text)]
        i = 0
        while i < len(args):
            a = args[i]
            i += 1
            if a == 0:
                self.reset()
            elif a in (1, 2, 4, 7):
                setattr(self, {1: "bold", 2: "dim", 4: "underline", 7: "reverse"}[a], True)
            elif a == 22:
                self.bold = self.dim = False
            elif a in (24, 27):
                setattr(self, {24: "underline", 27: "reverse"}[a], False)
            elif 30 <= a < 38 or 90 <= a < 98:
                self.fg = ANSI[a - 30 if a < 90 else a - 82]
            elif 40 <= a < 48 or 100 <= a < 108:
                self.bg = ANSI[a - 40 if a < 100 else a - 92]
            elif a == 38:
                self.fg, n = color(args[i:])
                i += n
            elif a == 48:
                self.bg, n = color(args[i:])
                i += n
            elif a == 39:
                self.fg = None
            elif a == 49:
                self.bg = None

    def colors(self):
        fg, bg = self.fg or FOREGROUND, self.bg
        return (bg or BACKGROUND, fg) if self.reverse else (fg, bg)


def rect(x, y, w, h, fill, extra=""):
    return '<rect x="%.2f" y="%.2f" width="%.2f" height="%.2f" fill="%s"%s/>' % (x, y, w, h, fill, extra)


def braille(x, y, bits, fg):
    places = [(0, 0), (0, 1), (0, 2), (1, 0), (1, 1), (1, 2), (0, 3), (1, 3)]
    out = []
    for i, (column, row) in enumerate(places):
        if bits & 1 << i:
            out.append(rect(x + (column + 0.12) * CELL_W / 2, y + (row + 0.1) * CELL_H / 4, CELL_W / 2 * 0.76, CELL_H / 4 * 0.8, fg))
    return out


def lines(x, y, arms, fg):
    cx, cy = x + CELL_W / 2, y + CELL_H / 2
    out = []
    for arm, w in zip(("left", "right", "up", "down"), arms):
        if not w:
            continue
        half = w * 0.65
        if arm in ("left", "right"):
            out.append(rect(x if arm == "left" else cx - half, cy - half, CELL_W / 2 + half, 2 * half, fg))
        else:
            out.append(rect(cx - half, y if arm == "up" else cy - half, 2 * half, CELL_H / 2 + half, fg))
    return out


def corner(x, y, ch, fg):
    dx, dy = (1 if ch in "╭╰" else -1), (1 if ch in "╭╮" else -1)
    cx, cy = x + CELL_W / 2, y + CELL_H / 2
    return ['<path d="M%.2f %.2f Q%.2f %.2f %.2f %.2f" fill="none" stroke="%s" stroke-width="1.3"/>' %
            (cx + dx * CELL_W / 2, cy, cx, cy, cx, cy + dy * CELL_H / 2, fg)]


def glyph(x, y, ch, style):
    fg, bg = style.colors()
    out = [rect(x, y, CELL_W + 0.2, CELL_H + 0.2, bg)] if bg else []
    code = ord(ch)
    if 0x2800 <= code < 0x2900:
        out += braille(x, y, code - 0x2800, fg)
    elif 0x2581 <= code <= 0x2588:
        h = CELL_H * (code - 0x2580) / 8
        out.append(rect(x, y + CELL_H - h, CELL_W + 0.2, h, fg))
    elif 0x2589 <= code <= 0x258f:
        out.append(rect(x, y, CELL_W * (0x2590 - code) / 8, CELL_H, fg))
    elif code in (0x2580, 0x2594):
        out.append(rect(x, y, CELL_W + 0.2, CELL_H / (2 if code == 0x2580 else 8), fg))
    elif code == 0x2595:
        out.append(rect(x + CELL_W * 7 / 8, y, CELL_W / 8, CELL_H, fg))
    elif 0x2591 <= code <= 0x2593:
        out.append(rect(x, y, CELL_W + 0.2, CELL_H + 0.2, fg, ' opacity="%.2f"' % ((code - 0x2590) * 0.25)))
    elif ch in LINES:
        out += lines(x, y, LINES[ch], fg)
    elif ch in "╭╮╰╯":
        out += corner(x, y, ch, fg)
    elif ch != " ":
        weight = ' font-weight="bold"' if style.bold else ""
        opacity = ' opacity="0.6"' if style.dim else ""
        out.append('<text x="%.2f" y="%.2f" fill="%s"%s%s>%s</text>' % (x, y + CELL_H * 0.75, fg, weight, opacity, escape(ch)))
    if style.underline:
        out.append(rect(x, y + CELL_H - 2, CELL_W, 1, fg))
    return out


def main():
    rows = sys.stdin.read().rstrip("\n").split("\n")
    out, width = [], 0
    style = Style()
    for y, row in enumerate(rows):
        x = 0
        for part in re.split("(\033\\[[0-9;:]*m|\033\\([B0]|\017|\016)", row):
            if part.startswith("\033["):
                style.feed(part[2:-1])
                continue
            if part[:1] in ("\033", "\016", "\017"):
                continue
            for ch in part:
                if unicodedata.combining(ch):
                    continue
                out += glyph(x * CELL_W + 8, y * CELL_H + 8, ch, style)
                x += 2 if unicodedata.east_asian_width(ch) in "WF" else 1
        width = max(width, x)
    w, h = width * CELL_W + 16, len(rows) * CELL_H + 16
    print('<svg xmlns="http://www.w3.org/2000/svg" width="%.0f" height="%.0f" font-family="DejaVu Sans Mono, monospace" '
          'font-size="%d">' % (w, h, SIZE))
    print(rect(0, 0, w, h, BACKGROUND))
    print("\n".join(out))
    print("</svg>")


main()
