/** The most files that a way may pass, and the most returns to a file. The numbers may only fall. */
export const LIMITS: Readonly<Record<string, { readonly files: number; readonly returns: number }>> = {
  'GET item': { files: 65, returns: 36 },
  'PATCH item': { files: 99, returns: 176 },
  'POST nested item': { files: 103, returns: 114 },
  'PUT file': { files: 80, returns: 70 },
  'uploads function': { files: 21, returns: 34 },
  'POST pay, respond-async': { files: 88, returns: 92 },
  worker: { files: 88, returns: 233 },
};
