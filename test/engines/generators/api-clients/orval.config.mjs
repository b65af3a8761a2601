const input = 'openapi.json';

export default {
  client: {
    input,
    output: {
      target: 'orval/client.ts',
      client: 'fetch',
      baseUrl: { runtime: 'api.url', imports: [{ name: 'api', importPath: '../api-url' }] },
      // A slug may have any characters.
      urlEncodeParameters: true,
    },
  },
  zod: { input, output: { target: 'orval/zod.ts', client: 'zod' } },
};
