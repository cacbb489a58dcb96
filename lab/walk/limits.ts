/** The most files that a way may pass, and the most returns to a file. The numbers may only fall. */
export const LIMITS: Readonly<Record<string, { readonly files: number; readonly returns: number }>> = {
  'GET item': { files: 92, returns: 111 },
  'PATCH item': { files: 130, returns: 305 },
  'POST nested item': { files: 135, returns: 240 },
  'PUT file': { files: 100, returns: 150 },
  'uploads function': { files: 23, returns: 45 },
  'POST pay, respond-async': { files: 110, returns: 195 },
  worker: { files: 107, returns: 411 },
};
