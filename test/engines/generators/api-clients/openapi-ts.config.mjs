export default {
  input: 'openapi.json',
  output: 'hey-api',
  plugins: ['@hey-api/client-fetch', '@hey-api/typescript', '@hey-api/sdk', 'zod'],
  logs: { file: false },
};
