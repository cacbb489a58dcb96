/** The most files that a way may pass, and the most returns to a file. The numbers may only fall. */
export const LIMITS: Readonly<Record<string, { readonly files: number; readonly returns: number }>> = {
  'GET item': { files: 66, returns: 36 },
  'PATCH item': { files: 101, returns: 175 },
  'POST nested item': { files: 106, returns: 112 },
  'PUT file': { files: 82, returns: 69 },
  'uploads function': { files: 21, returns: 34 },
  'POST pay, respond-async': { files: 89, returns: 92 },
  worker: { files: 90, returns: 232 },
};
