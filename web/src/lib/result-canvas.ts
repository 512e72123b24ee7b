/** A square picture of a result, to send or to save, in the page's own colours, light or dark. */

export const PICTURE_SIZE_PX = 1080;
export const PICTURE_MARGIN_PX = 72;
/** The width that a line of text may have. */
export const TEXT_WIDTH_PX = PICTURE_SIZE_PX - 3 * PICTURE_MARGIN_PX;

/** Resolve a colour by the current style sheets. */
export function resolveColour(colour: string): string {
  const probe = document.createElement('span');
  probe.style.color = colour;
  document.body.append(probe);
  const resolved = getComputedStyle(probe).color;
  probe.remove();
  return resolved;
}

/** An empty card on the table's cloth. */
export function createPictureCanvas(): {
  canvas: HTMLCanvasElement;
  pen: CanvasRenderingContext2D;
} {
  const canvas = document.createElement('canvas');
  canvas.width = canvas.height = PICTURE_SIZE_PX;
  const pen = canvas.getContext('2d')!;
  pen.fillStyle = resolveColour('var(--linen)');
  pen.fillRect(0, 0, PICTURE_SIZE_PX, PICTURE_SIZE_PX);
  pen.fillStyle = resolveColour('var(--surface)');
  pen.beginPath();
  pen.roundRect(
    PICTURE_MARGIN_PX / 2,
    PICTURE_MARGIN_PX / 2,
    PICTURE_SIZE_PX - PICTURE_MARGIN_PX,
    PICTURE_SIZE_PX - PICTURE_MARGIN_PX,
    48,
  );
  pen.fill();
  return { canvas, pen };
}

export interface TextStyle {
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
export function drawText(pen: CanvasRenderingContext2D, text: string, how: TextStyle): void {
  const { x = PICTURE_SIZE_PX / 2, align = 'center', room = TEXT_WIDTH_PX } = how;
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
