/**
 * Work that is done in several tasks keeps the browser free to answer and to draw in between.
 * Resolves in a task of its own, in the order of the calls.
 */
export function nextTask(): Promise<void> {
  return new Promise((resolve) => {
    waiting.push(resolve);
    channel ??= openChannel();
    // Sooner than a timer, which browsers delay once timers start each other.
    channel.postMessage(null);
  });
}

const waiting: (() => void)[] = [];
let channel: MessagePort | undefined;

function openChannel(): MessagePort {
  const { port1, port2 } = new MessageChannel();
  port1.onmessage = () => waiting.shift()?.();
  return port2;
}
