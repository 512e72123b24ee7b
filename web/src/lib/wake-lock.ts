/** Keep the screen on where the browser can. Returns a function that lets it go dark again. */
export function keepScreenOn(): () => void {
  let wanted = true;
  let lock: WakeLockSentinel | null = null;

  async function requestLock(): Promise<void> {
    if (!wanted || document.visibilityState !== 'visible') return;
    try {
      lock = (await navigator.wakeLock?.request('screen')) ?? null;
      if (!wanted) await lock?.release();
    } catch {
      // A low battery may forbid it.
    }
  }

  void requestLock();
  document.addEventListener('visibilitychange', requestLock);
  return () => {
    wanted = false;
    document.removeEventListener('visibilitychange', requestLock);
    void lock?.release();
  };
}
