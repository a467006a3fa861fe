let context: AudioContext | undefined;

/** Plays two soft tones without a sound file. */
export function chime(): void {
  try {
    context ??= new AudioContext();
    const { currentTime } = context;
    // Browsers refuse sound until the page had an interaction.
    void context.resume().catch(() => undefined);
    tone(context, 659.25, currentTime);
    tone(context, 987.77, currentTime + 0.16);
  } catch {
    // Sound is optional.
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
