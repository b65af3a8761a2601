/**
 * The base URL of the API, which orval's client reads for each request.
 */
export const api = { url: '' };
