import { type Look, someBegin } from '../sources/look.ts';

/** Names that only an export has; fragments of one may lack the namespace. */
const EXPORT = /<wp:(?:wxr_version|base_site_url|author|category|tag|post_id|post_type)>/;
const WEB_PAGE = /rel=["']https:\/\/api\.w\.org\/["']|<meta name="generator" content="WordPress\b/i;

export async function recogniseWordPress(look: Look): Promise<string | null> {
  const isExport = (text: string): boolean => EXPORT.test(text);
  const isXml = (path: string): boolean => /^(?:[^/]+\/)?[^/]+\.(?:xml|wxr)$/i.test(path);
  switch (look.kind) {
    case 'address':
      return WEB_PAGE.test(look.link) || WEB_PAGE.test(look.beginning) ? 'a running WordPress' : null;
    case 'file':
      return isExport(look.beginning) ? 'an export of WordPress' : null;
    case 'folder':
      return (await someBegin(look.path, look.files.filter(isXml), isExport))
        ? 'a folder with an export of WordPress'
        : null;
  }
}
