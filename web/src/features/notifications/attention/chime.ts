let context: AudioContext | undefined;

/** Two soft tones, made here: there is no file to load. */
export function chime(): void {
  try {
    context ??= new AudioContext();
    const { currentTime } = context;
    // Browsers keep a page silent until somebody has touched it; then this is a no.
    void context.resume().catch(() => undefined);
    tone(context, 659.25, currentTime);
    tone(context, 987.77, currentTime + 0.16);
  } catch {
    // A browser without sound is no reason for an error.
  }
}

function tone(audio: AudioContext, frequency: number, at: number): void {
  const oscillator = audio.createOscillator();
  const gain = audio.createGain();
  oscillator.type = "sine";
  oscillator.frequency.value = frequency;
  gain.gain.setValueAtTime(0, at);
  gain.gain.linearRampToValueAtTime(0.16, at + 0.02);
  gain.gain.exponentialRampToValueAtTime(0.0001, at + 0.55);
  oscillator.connect(gain).connect(audio.destination);
  oscillator.start(at);
  oscillator.stop(at + 0.6);
}
