export * from '../../client/source/index.ts';
