/** A square picture of a result, to send or to keep: in the page's own colours, by day or by night. */

import { download } from './download';

export const SIDE = 1080;
export const MARGIN = 72;
/** For what is written across. */
export const ROOM = SIDE - 3 * MARGIN;

/** A colour as the style sheets have it now. */
export function resolveColour(colour: string): string {
  const probe = document.createElement('span');
  probe.style.color = colour;
  document.body.append(probe);
  const resolved = getComputedStyle(probe).color;
  probe.remove();
  return resolved;
}

/** An empty card on the table's cloth. */
export function createPicture(): { canvas: HTMLCanvasElement; pen: CanvasRenderingContext2D } {
  const canvas = document.createElement('canvas');
  canvas.width = canvas.height = SIDE;
  const pen = canvas.getContext('2d')!;
  pen.fillStyle = resolveColour('var(--linen)');
  pen.fillRect(0, 0, SIDE, SIDE);
  pen.fillStyle = resolveColour('var(--surface)');
  pen.beginPath();
  pen.roundRect(MARGIN / 2, MARGIN / 2, SIDE - MARGIN, SIDE - MARGIN, 48);
  pen.fill();
  return { canvas, pen };
}

export interface Lettering {
  /** Where the line is: its middle, unless said otherwise. */
  x?: number;
  y: number;
  align?: CanvasTextAlign;
  room?: number;
  size: number;
  weight: number;
  colour: string;
}

/** A line of text, smaller if it would be too long. */
export function write(pen: CanvasRenderingContext2D, text: string, how: Lettering): void {
  const { x = SIDE / 2, align = 'center', room = ROOM } = how;
  const { fontFamily } = getComputedStyle(document.body);
  const setFont = (size: number): void => {
    pen.font = `${how.weight} ${size}px ${fontFamily}`;
  };
  setFont(how.size);
  const { width } = pen.measureText(text);
  if (width > room) setFont(Math.floor((how.size * room) / width));
  pen.fillStyle = how.colour;
  pen.textAlign = align;
  pen.fillText(text, x, how.y);
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
