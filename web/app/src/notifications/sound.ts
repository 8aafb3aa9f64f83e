// The sounds of notifications, which this browser remembers.

const key = "parley.sound";

/** The sounds. "" is the system's, which the browser plays. */
export const sounds = [["", "The system's"], ["ding", "Ding"], ["knock", "Knock"], ["off", "None"]] as const;

export type Sound = (typeof sounds)[number][0];

/** The tones of the page's own sounds: frequencies in hertz, each with its beginning and length in seconds. */
const tones: { readonly [is in Sound]?: readonly (readonly [hertz: number, from: number, seconds: number])[] } = {
  ding: [[880, 0, 0.5], [1320, 0.08, 0.6]],
  knock: [[180, 0, 0.08], [150, 0.14, 0.1]],
};
const volume = 0.2;

export function chosenSound(): Sound {
  const kept = localStorage.getItem(key) ?? "";
  return sounds.find(([sound]) => sound === kept)?.[0] ?? "";
}

export function chooseSound(sound: Sound): void {
  if (sound) localStorage.setItem(key, sound);
  else localStorage.removeItem(key);
}

/** Plays one of the page's own sounds. A browser in which nobody has clicked yet plays none. */
export function play(sound: Sound): void {
  const all = tones[sound];
  if (!all) return;
  const context = new AudioContext();
  for (const [hertz, from, seconds] of all) {
    const oscillator = new OscillatorNode(context, { frequency: hertz });
    const gain = new GainNode(context, { gain: volume });
    const start = context.currentTime + from;
    gain.gain.setValueAtTime(volume, start);
    gain.gain.exponentialRampToValueAtTime(0.001, start + seconds);
    oscillator.connect(gain).connect(context.destination);
    oscillator.start(start);
    oscillator.stop(start + seconds);
  }
  setTimeout(() => void context.close(), 2000);
}
