/** The most files that a way may pass, and the most returns to a file. The numbers may only fall. */
export const LIMITS: Readonly<Record<string, { readonly files: number; readonly returns: number }>> = {
  'GET item': { files: 74, returns: 37 },
  'PATCH item': { files: 112, returns: 180 },
  'POST nested item': { files: 118, returns: 113 },
  'PUT file': { files: 86, returns: 72 },
  'uploads function': { files: 23, returns: 37 },
  'POST pay, respond-async': { files: 94, returns: 99 },
  worker: { files: 98, returns: 240 },
};
