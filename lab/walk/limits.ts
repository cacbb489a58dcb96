/** The most files that a way may pass, and the most returns to a file. The numbers may only fall. */
export const LIMITS: Readonly<Record<string, { readonly files: number; readonly returns: number }>> = {
  'GET item': { files: 59, returns: 36 },
  'PATCH item': { files: 87, returns: 155 },
  'POST nested item': { files: 89, returns: 108 },
  'PUT file': { files: 74, returns: 69 },
  'uploads function': { files: 20, returns: 33 },
  'POST pay, respond-async': { files: 80, returns: 91 },
  worker: { files: 79, returns: 196 },
};
