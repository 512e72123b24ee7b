/**
 * Lists what's wrong with the layout of the page as it's shown now.
 *
 * `still`: the page must not scroll. `names`: text that people have typed, which may end in an
 * ellipsis. `touch`: the smallest size for anything to be tapped.
 */
({ still, names, touch }) => {
  const problems = [];
  const { innerWidth: width, innerHeight: height } = window;
  const root = document.scrollingElement;

  const dialogs = [...document.querySelectorAll('dialog[open]')];
  const scope = dialogs.at(-1) ?? document.body;

  const short = (text) => text.trim().replace(/\s+/g, ' ').slice(0, 40);
  const called = (element) => {
    const text = element.getAttribute('aria-label') ?? element.textContent ?? '';
    return `${element.tagName.toLowerCase()} "${short(text)}"`;
  };

  // ---- the page itself
  if (root.scrollWidth > width) problems.push(`scrolls sideways: ${root.scrollWidth} > ${width}`);
  if (still && root.scrollHeight > height) {
    problems.push(`scrolls: ${root.scrollHeight} > ${height}`);
  }

  // ---- dialogs may only scroll down: nobody looks for a column beyond the edge
  for (const each of dialogs.flatMap((dialog) => [dialog, ...dialog.querySelectorAll('*')])) {
    const { overflowX, overflowY } = getComputedStyle(each);
    const scrolls = overflowX === 'auto' && overflowY === 'auto';
    if (scrolls && each.scrollWidth > each.clientWidth + 1) {
      problems.push(`a dialog scrolls sideways: ${each.scrollWidth} > ${each.clientWidth}`);
    }
  }

  // ---- which part of an element can be seen within the elements around it
  const isStrip = (element, style) =>
    (/(auto|scroll)/.test(style.overflowX) && element.scrollWidth > element.clientWidth) ||
    (/(auto|scroll)/.test(style.overflowY) && element.scrollHeight > element.clientHeight);

  /** The boxes that cut off or scroll an element's content: its own, and those around it. */
  const frames = new Map();
  function framesOf(element) {
    if (!element || element === document.body) return [];
    const known = frames.get(element);
    if (known) return known;
    const style = getComputedStyle(element);
    const outer = style.position === 'fixed' ? [] : framesOf(element.parentElement);
    const frame = {
      element,
      strip: isStrip(element, style),
      box: element.getBoundingClientRect(),
      // A box may cut off in one direction only.
      cuts: { x: style.overflowX !== 'visible', y: style.overflowY !== 'visible' },
    };
    const found = frame.cuts.x || frame.cuts.y ? [frame, ...outer] : outer;
    frames.set(element, found);
    return found;
  }
  const around = (element) => framesOf(element)[0] ?? null;

  const shown = (element) =>
    element.checkVisibility({ opacityProperty: true, visibilityProperty: true }) &&
    !element.closest('.unseen, [inert]');

  const inside = (box, frame, slack) =>
    box.left >= frame.left - slack &&
    box.right <= frame.right + slack &&
    box.top >= frame.top - slack &&
    box.bottom <= frame.bottom + slack;

  const crossing = (one, other) => ({
    x: Math.min(one.right, other.right) - Math.max(one.left, other.left),
    y: Math.min(one.bottom, other.bottom) - Math.max(one.top, other.top),
  });

  const screen = { left: 0, right: width, top: 0, bottom: height };
  const page = still || dialogs.length ? screen : { ...screen, top: -Infinity, bottom: Infinity };

  /** The visible part of a box in an element. */
  function visible(element, { left, right, top, bottom }) {
    for (const { box } of framesOf(element)) {
      left = Math.max(left, box.left);
      right = Math.min(right, box.right);
      top = Math.max(top, box.top);
      bottom = Math.min(bottom, box.bottom);
    }
    return { left, right, top, bottom };
  }
  const seen = (box) => box.right - box.left > 1 && box.bottom - box.top > 1;

  /** Reports a box in an element that nobody can see. */
  function checkPlace(element, box, what) {
    const frame = around(element);
    if (!frame) {
      if (!inside(box, page, 1)) {
        const at = [box.left, box.top, box.right, box.bottom].map(Math.round);
        problems.push(`${what} is outside of the window: ${at}`);
      }
    } else if (frame.strip) {
      // Scrolling the strip shows it, so only the strip itself must be in sight.
      if (!inside(frame.box, page, 1)) problems.push(`the strip with ${what} is outside of the window`);
    } else if (!inside(box, frame.box, 1)) {
      problems.push(`${what} is cut off by ${frame.element.className || frame.element.tagName}`);
    }
  }

  // ---- controls, except those on boards: boards are moved, so they may be anywhere
  const CONTROLS = 'button, a[href], input, select, textarea, summary, [tabindex="0"]';
  const BOARD = '[role="grid"]';
  const controls = [...scope.querySelectorAll(CONTROLS)]
    .filter((each) => !each.closest(BOARD) && each.tagName !== 'MAIN')
    .filter((each) => {
      // A control that is transparent (opacity 0) lies over its label.
      if (each.matches('input, select')) return each.checkVisibility() && !each.closest('.unseen');
      return shown(each);
    })
    .map((element) => {
      const box = element.getBoundingClientRect();
      return { element, box, part: visible(element.parentElement, box) };
    })
    .filter(({ box }) => box.width > 1 && box.height > 1);

  for (const { element, box } of controls) {
    checkPlace(element.parentElement, box, called(element));
    if (!element.matches('button, a, input, select, textarea, summary')) continue;
    const inText = element.matches('a') && getComputedStyle(element).display === 'inline';
    const labelled = element.matches('input') && element.closest('label');
    const target = labelled ? labelled.getBoundingClientRect() : box;
    const slim = Math.min(target.width, target.height);
    if (!inText && slim < touch - 0.5) {
      problems.push(`${called(element)} is small: ${target.width.toFixed()} x ${target.height.toFixed()}`);
    }
  }

  for (const [index, one] of controls.entries()) {
    for (const other of controls.slice(index + 1)) {
      if (one.element.contains(other.element) || other.element.contains(one.element)) continue;
      if (!seen(one.part) || !seen(other.part)) continue;
      const { x, y } = crossing(one.part, other.part);
      if (x > 1.5 && y > 1.5) {
        problems.push(`${called(one.element)} and ${called(other.element)} overlap`);
      }
    }
  }

  // A card is a board that doesn't move: all of it must be visible.
  for (const card of scope.querySelectorAll(`svg${BOARD}`)) {
    const place = card.parentElement.getBoundingClientRect();
    if (shown(card) && !inside(card.getBoundingClientRect(), place, 1.5)) {
      problems.push(`${called(card)} is larger than its place`);
    }
  }

  // ---- texts
  const texts = [];
  const walker = document.createTreeWalker(scope, NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) {
    const node = walker.currentNode;
    const element = node.parentElement;
    if (!node.data.trim() || !shown(element) || element.closest(`${BOARD}, svg, option, style`)) continue;
    const range = document.createRange();
    range.selectNodeContents(node);
    for (const box of range.getClientRects()) {
      if (box.width > 1 && box.height > 1) {
        const size = 0.2 * parseFloat(getComputedStyle(element).fontSize);
        const { left, right, top, bottom } = box;
        // Only the part of the line with its letters.
        const letters = { left, right, top: top + size, bottom: bottom - size };
        texts.push({ node, element, box, part: visible(element, letters) });
      }
    }
  }

  const block = (element) => {
    while (/^(inline|contents)$/.test(getComputedStyle(element).display)) element = element.parentElement;
    return element;
  };

  for (const { node, element, box, part } of texts) {
    const what = `the text "${short(node.data)}"`;
    const own = block(element);
    const typed = names.some((name) => node.data.includes(name));
    if (typed && getComputedStyle(element).textOverflow === 'ellipsis') continue;
    const frame = own.getBoundingClientRect();
    if (frame.width < 2) continue; // only for screen readers
    // Letters may stick out of their line a little, above and below.
    const slack = 0.4 * parseFloat(getComputedStyle(element).fontSize);
    if (box.left < frame.left - 1.5 || box.right > frame.right + 1.5) {
      problems.push(`${what} is wider than its place: ${box.width.toFixed()} > ${frame.width.toFixed()}`);
    } else if (!isStrip(own, getComputedStyle(own)) && (box.top < frame.top - slack || box.bottom > frame.bottom + slack)) {
      problems.push(`${what} is higher than its place`);
    } else {
      const line = { left: box.left, right: box.right, top: box.top + slack, bottom: box.bottom - slack };
      checkPlace(element, line, what);
    }
    for (const control of controls) {
      const of = control.element;
      if (of.contains(element) || of.closest('label')?.contains(element)) continue;
      const { x, y } = crossing(part, control.part);
      if (x > 2 && y > 2) problems.push(`${what} and ${called(of)} overlap`);
    }
  }

  for (const [index, one] of texts.entries()) {
    for (const other of texts.slice(index + 1)) {
      if (one.node === other.node || block(one.element) === block(other.element)) continue;
      if (!seen(one.part) || !seen(other.part)) continue;
      const { x, y } = crossing(one.part, other.part);
      if (x > 2 && y > 2) {
        problems.push(`the texts "${short(one.node.data)}" and "${short(other.node.data)}" overlap`);
      }
    }
  }
  return [...new Set(problems)];
}
