/**
 * Resolves in a task of its own, in the order of the calls. Work that is split into several tasks
 * leaves the browser free to respond and to draw in between.
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
