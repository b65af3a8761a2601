/** Where the API is: orval's client reads it with each request. */
export const api = { url: '' };
