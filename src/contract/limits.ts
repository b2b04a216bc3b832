/** Gate 5, and whoever foretells what it would say. */
export const postbackBytesMax = 16_384;
