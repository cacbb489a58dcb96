/** The most files that a way may pass, and the most returns to a file. The numbers may only fall. */
export const LIMITS: Readonly<Record<string, { readonly files: number; readonly returns: number }>> = {
  'GET item': { files: 70, returns: 36 },
  'PATCH item': { files: 107, returns: 177 },
  'POST nested item': { files: 113, returns: 114 },
  'PUT file': { files: 84, returns: 72 },
  'uploads function': { files: 23, returns: 37 },
  'POST pay, respond-async': { files: 93, returns: 96 },
  worker: { files: 94, returns: 237 },
};
