import { closeSync, openSync, writeSync } from 'node:fs';

/** Items per write to the file. */
const BATCH = 200;

/** The number of items of each kind in the generated export. */
export interface WxrSize {
  readonly posts: number;
  readonly pages: number;
  readonly attachments: number;
}

/**
 * Writes a WordPress export of at least `bytes` bytes: posts of some kilobytes, each with comments, custom fields
 * and an image. The image comes after its post; every hundredth item is a page. The same size gives the same file.
 *
 * @param commentWords words of each post's comment, which importing skips
 */
export function writeWxr(path: string, bytes: number, commentWords = 60): WxrSize {
  const file = openSync(path, 'w');
  try {
    let written = writeSync(file, HEAD);
    let number = 0;
    let pages = 0;
    while (written < bytes) {
      let text = '';
      for (let i = 0; i < BATCH; i++) {
        number += 1;
        const isPage = number % 100 === 0;
        if (isPage) pages += 1;
        text += postItem(number, isPage ? 'page' : 'post', commentWords) + attachmentItem(number);
      }
      written += writeSync(file, text);
    }
    writeSync(file, '</channel>\n</rss>\n');
    return { posts: number - pages, pages, attachments: number };
  } finally {
    closeSync(file);
  }
}

const HEAD = `<?xml version="1.0" encoding="UTF-8" ?>
<rss version="2.0" xmlns:content="http://purl.org/rss/1.0/modules/content/" xmlns:wp="http://wordpress.org/export/1.2/">
<channel>
<title>Bench</title><link>https://bench.example</link><language>en-US</language>
<wp:wxr_version>1.2</wp:wxr_version><wp:base_blog_url>https://bench.example</wp:base_blog_url>
<wp:author><wp:author_login>ada</wp:author_login><wp:author_display_name><![CDATA[Ada L.]]></wp:author_display_name></wp:author>
`;

const WORDS =
  'Mountains, śnieg, дорога, 山道 and a "long" way home & back; what <em>weather</em> we had!'.split(' ');

/** Words that differ between posts, so that no two texts are equal. */
function words(seed: number, count: number): string {
  let state = seed;
  const chosen = Array.from({ length: count }, () => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    return WORDS[state % WORDS.length];
  });
  return `${chosen.join(' ')} ${seed}`;
}

function postItem(number: number, type: 'post' | 'page', commentWords: number): string {
  const id = number * 2;
  const date = new Date(Date.UTC(2000, 0, 1) + number * 3_600_000)
    .toISOString()
    .slice(0, 19)
    .replace('T', ' ');
  const paragraphs = Array.from({ length: 12 }, (_, n) => words(number * 12 + n, 40)).join('\n\n');
  return `<item>
<title>${type} ${number} &amp; more</title>
<link>https://bench.example/${type}-${number}/</link>
<dc:creator><![CDATA[ada]]></dc:creator>
<content:encoded><![CDATA[${paragraphs}

[caption id="attachment_${id + 1}" width="300"]<img src="https://bench.example/${number}.jpg" alt="" /> View ${number}[/caption]

https://www.youtube.com/watch?v=dQw4w9WgXcQ

[gallery ids="${id + 1}"]]]></content:encoded>
<excerpt:encoded><![CDATA[]]></excerpt:encoded>
<wp:post_id>${id}</wp:post_id>
<wp:post_date>${date}</wp:post_date>
<wp:post_date_gmt>${date}</wp:post_date_gmt>
<wp:post_name>${type}-${number}</wp:post_name>
<wp:status>publish</wp:status>
<wp:post_type>${type}</wp:post_type>
<category domain="category" nicename="c${number % 30}"><![CDATA[Category ${number % 30}]]></category>
<category domain="post_tag" nicename="t${number % 500}"><![CDATA[Tag ${number % 500}]]></category>
<wp:postmeta><wp:meta_key>_thumbnail_id</wp:meta_key><wp:meta_value><![CDATA[${id + 1}]]></wp:meta_value></wp:postmeta>
<wp:comment><wp:comment_id>${number}</wp:comment_id><wp:comment_content><![CDATA[${words(number, commentWords)}]]></wp:comment_content></wp:comment>
</item>
`;
}

function attachmentItem(number: number): string {
  return `<item>
<title>View ${number}</title>
<link>https://bench.example/post-${number}/view/</link>
<wp:post_id>${number * 2 + 1}</wp:post_id>
<wp:post_parent>${number * 2}</wp:post_parent>
<wp:status>inherit</wp:status>
<wp:post_type>attachment</wp:post_type>
<wp:attachment_url>https://bench.example/wp-content/uploads/${number}.jpg</wp:attachment_url>
</item>
`;
}
