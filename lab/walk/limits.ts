/** The most files that a way may pass, and the most returns to a file. The numbers may only fall. */
export const LIMITS: Readonly<Record<string, { readonly files: number; readonly returns: number }>> = {
  'GET item': { files: 69, returns: 37 },
  'PATCH item': { files: 106, returns: 179 },
  'POST nested item': { files: 112, returns: 115 },
  'PUT file': { files: 84, returns: 72 },
  'uploads function': { files: 23, returns: 37 },
  'POST pay, respond-async': { files: 93, returns: 96 },
  worker: { files: 95, returns: 237 },
};
