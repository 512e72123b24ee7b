/** Keep the screen on where the browser can. Returns a function that lets it go dark again. */
export function keepScreenOn(): () => void {
  let wanted = true;
  let lock: WakeLockSentinel | null = null;

  async function take(): Promise<void> {
    if (!wanted || document.visibilityState !== 'visible') return;
    try {
      lock = (await navigator.wakeLock?.request('screen')) ?? null;
      if (!wanted) await lock?.release();
    } catch {
      // A low battery may forbid it.
    }
  }

  void take();
  document.addEventListener('visibilitychange', take);
  return () => {
    wanted = false;
    document.removeEventListener('visibilitychange', take);
    void lock?.release();
  };
}
