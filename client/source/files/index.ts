/** For Node: a copy of the blog in a folder. */
export { type FolderCopy, syncFolder } from './sync-folder.ts';
