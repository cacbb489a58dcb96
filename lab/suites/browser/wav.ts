/** A sound file for seeking: a quiet tone, 8 bits a sample, mono. Source: RIFF WAVE, PCM. */
export function wav(seconds: number, samplesPerSecond: number): Buffer {
  const samples = Buffer.alloc(seconds * samplesPerSecond);
  for (let at = 0; at < samples.length; at += 1) samples[at] = 128 + Math.round(20 * Math.sin(at / 5));
  const header = Buffer.alloc(44);
  header.write('RIFF', 0);
  header.writeUInt32LE(36 + samples.length, 4);
  header.write('WAVEfmt ', 8);
  header.writeUInt32LE(16, 16);
  header.writeUInt16LE(1, 20);
  header.writeUInt16LE(1, 22);
  header.writeUInt32LE(samplesPerSecond, 24);
  header.writeUInt32LE(samplesPerSecond, 28);
  header.writeUInt16LE(1, 32);
  header.writeUInt16LE(8, 34);
  header.write('data', 36);
  header.writeUInt32LE(samples.length, 40);
  return Buffer.concat([header, samples]);
}
