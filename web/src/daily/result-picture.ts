/** A picture of a result, to send or to keep. Like the text it doesn't show how to solve the puzzle. */

import { download } from '../lib/download';
import type { ResultSymbol, SharedResult } from './shared-result';

export interface PictureTexts {
  /** The game's puzzle of the day. */
  title: string;
  date: string;
  /** How many days in a row; empty for a single one. */
  streak: string;
  /** Where the puzzle is. */
  address: string;
}

const SIDE = 1080;
const MARGIN = 72;
const MOST_SYMBOL = 120;
const GAP = 0.16;

/** A colour as the style sheets have it now, by day or by night. */
function resolveColour(colour: string): string {
  const probe = document.createElement('span');
  probe.style.color = colour;
  document.body.append(probe);
  const resolved = getComputedStyle(probe).color;
  probe.remove();
  return resolved;
}

export function drawPicture(shared: SharedResult, texts: PictureTexts): HTMLCanvasElement {
  const canvas = document.createElement('canvas');
  canvas.width = canvas.height = SIDE;
  const pen = canvas.getContext('2d')!;
  pen.fillStyle = resolveColour('var(--linen)');
  pen.fillRect(0, 0, SIDE, SIDE);
  pen.fillStyle = resolveColour('var(--surface)');
  pen.beginPath();
  pen.roundRect(MARGIN / 2, MARGIN / 2, SIDE - MARGIN, SIDE - MARGIN, 48);
  pen.fill();

  const ink = resolveColour('var(--ink)');
  const soft = resolveColour('var(--soft)');
  write(pen, texts.title, { y: 190, size: 84, weight: 800, colour: ink });
  write(pen, `${texts.date} · ${shared.kind}`, { y: 275, size: 44, weight: 500, colour: soft });
  drawSymbols(pen, shared.symbols, 470);
  write(pen, shared.result, { y: 710, size: 120, weight: 800, colour: ink });
  write(pen, texts.streak, { y: 830, size: 56, weight: 700, colour: ink });
  write(pen, texts.address, { y: 970, size: 36, weight: 500, colour: soft });
  return canvas;
}

interface Lettering {
  y: number;
  size: number;
  weight: number;
  colour: string;
}

/** A line in the middle, smaller if it would be too long. */
function write(pen: CanvasRenderingContext2D, text: string, how: Lettering): void {
  const { fontFamily } = getComputedStyle(document.body);
  const setFont = (size: number): void => {
    pen.font = `${how.weight} ${size}px ${fontFamily}`;
  };
  setFont(how.size);
  const room = SIDE - 3 * MARGIN;
  const { width } = pen.measureText(text);
  if (width > room) setFont(Math.floor((how.size * room) / width));
  pen.fillStyle = how.colour;
  pen.textAlign = 'center';
  pen.fillText(text, SIDE / 2, how.y);
}

function drawSymbols(
  pen: CanvasRenderingContext2D,
  symbols: readonly ResultSymbol[],
  y: number,
): void {
  const room = SIDE - 3 * MARGIN;
  const side = Math.min(MOST_SYMBOL, room / (symbols.length * (1 + GAP)));
  const first = SIDE / 2 - ((symbols.length - 1) / 2) * side * (1 + GAP);
  pen.lineWidth = side / 16;
  pen.lineJoin = 'round';
  symbols.forEach((symbol, index) => {
    const x = first + index * side * (1 + GAP);
    pen.beginPath();
    if (symbol.shape === 'square')
      pen.roundRect(x - side / 2, y - side / 2, side, side, side * 0.18);
    else for (let corner = 0; corner < 6; corner++) lineTo(pen, x, y, side / 2, corner);
    pen.closePath();
    pen.strokeStyle = resolveColour('var(--soft)');
    if (symbol.fill) {
      pen.fillStyle = resolveColour(symbol.fill);
      pen.fill();
    } else pen.stroke();
  });
}

function lineTo(
  pen: CanvasRenderingContext2D,
  x: number,
  y: number,
  radius: number,
  corner: number,
): void {
  const angle = (Math.PI / 3) * corner + Math.PI / 6;
  pen.lineTo(x + radius * Math.cos(angle), y + radius * Math.sin(angle));
}

/** Offer the system's own way to send a picture; else download it. */
export async function sharePicture(canvas: HTMLCanvasElement, name: string): Promise<void> {
  const blob = await new Promise<Blob | null>((done) => canvas.toBlob(done));
  if (!blob) return;
  const file = new File([blob], name, { type: blob.type });
  // Not every browser has it, whatever the types say.
  const canShare = (navigator as Partial<Navigator>).canShare?.bind(navigator);
  if (canShare?.({ files: [file] })) {
    try {
      return await navigator.share({ files: [file] });
    } catch (error) {
      // Closing the system's sheet means having changed one's mind.
      if (error instanceof DOMException && error.name === 'AbortError') return;
    }
  }
  download(file);
}
