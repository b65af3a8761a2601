import { describe, expect, it } from 'vitest';
import { cleanHtml } from '../../import/ghost/cards.ts';

describe('HTML that Ghost rendered', () => {
  it('is unchanged without cards that need Ghost', () => {
    const html =
      '<p>a &nbsp;<BR>b</p><figure class="kg-card kg-image-card"><img src=x></figure><!--kg-card-end: html-->';
    expect(cleanHtml(html)).toBe(html);
  });

  it('has players and files as plain elements', () => {
    const html =
      '<p>before</p>' +
      '<div class="kg-card kg-audio-card"><img src="" alt="audio-thumbnail" class="kg-audio-thumbnail kg-audio-hide"><div class="kg-audio-player-container"><audio src="/a.mp3" preload="metadata"></audio><div class="kg-audio-title">T &amp; t</div><div class="kg-audio-player"><button class="kg-audio-play-icon"><svg></svg></button><span class="kg-audio-current-time">0:00</span><div class="kg-audio-time">/<span class="kg-audio-duration">3:20</span></div><input type="range"><button class="kg-audio-playback-rate">1&#215;</button></div></div></div>' +
      '<figure class="kg-card kg-video-card kg-width-regular kg-card-hascaption" data-kg-thumbnail="/t.jpg" data-kg-custom-thumbnail=""><div class="kg-video-container"><video src="/v.mp4" poster="https://img.spacergif.org/v1/4x3/0a/spacer.png" width="4" height="3" loop playsinline style="background: transparent url(\'/s.jpg\')"></video><div class="kg-video-player-container"><span class="kg-video-current-time">0:00</span></div></div><figcaption><p>c</p></figcaption></figure>' +
      '<div class="kg-card kg-file-card"><a class="kg-file-card-container" href="/f.pdf" title="Download" download><div class="kg-file-card-contents"><div class="kg-file-card-title">F</div><div class="kg-file-card-caption"></div><div class="kg-file-card-metadata"><div class="kg-file-card-filename">f.pdf</div><div class="kg-file-card-filesize">1 MB</div></div></div><div class="kg-file-card-icon"><svg><title>download-circle</title></svg></div></a></div>' +
      '<p>after</p>';
    expect(cleanHtml(html)).toBe(
      '<p>before</p>' +
        '<figure class="kg-card kg-audio-card"><audio src="/a.mp3" controls></audio><figcaption>T &amp; t</figcaption></figure>' +
        '<figure class="kg-card kg-video-card"><video src="/v.mp4" poster="/t.jpg" width="4" height="3" controls loop></video><figcaption><p>c</p></figcaption></figure>' +
        '<div class="kg-card kg-file-card"><p><a href="/f.pdf">F</a> (1 MB)</p></div>' +
        '<p>after</p>',
    );
  });

  it('has toggles and bookmarks as plain elements, and no forms', () => {
    const html =
      '<div class="kg-card kg-toggle-card" data-kg-toggle-state="close"><div class="kg-toggle-heading"><h4 class="kg-toggle-heading-text"><span>Why?</span></h4><button class="kg-toggle-card-icon"><svg></svg></button></div><div class="kg-toggle-content"><p>So.</p></div></div>' +
      '<figure class="kg-card kg-bookmark-card"><a class="kg-bookmark-container" href="https://x.example"><div class="kg-bookmark-content"><div class="kg-bookmark-title">T</div><div class="kg-bookmark-description">D</div><div class="kg-bookmark-metadata"><img class="kg-bookmark-icon" src="i"><span class="kg-bookmark-author">A &amp; B</span><span class="kg-bookmark-publisher">P</span></div></div><div class="kg-bookmark-thumbnail"><img src="t"></div></a></figure>' +
      '<div class="kg-card kg-signup-card"><form class="kg-signup-card-form"><input><button>Subscribe</button></form></div>';
    expect(cleanHtml(html)).toBe(
      '<details class="kg-card kg-toggle-card"><summary><span>Why?</span></summary><p>So.</p></details>' +
        '<figure class="kg-card kg-bookmark-card"><p><a href="https://x.example">T</a></p><p>D</p><p>A &amp; B • P</p><p><a href="https://x.example"><img src="t" alt=""></a></p></figure>',
    );
  });

  it('has the stars of a product as text', () => {
    const star = (active: string) => `<span class="${active} kg-product-card-rating-star"><svg></svg></span>`;
    const stars = star('kg-product-card-rating-active').repeat(4) + star('');
    const product = (rating: string) =>
      `<div class="kg-card kg-product-card"><h4>P</h4>${rating}<p>D</p></div>`;
    expect(cleanHtml(product(`<div class="kg-product-card-rating">${stars}</div>`))).toBe(
      product('<p>★★★★☆</p>'),
    );
  });

  it('has nothing that is hidden from visitors without an account', () => {
    const gated = (rule: string, content: string) =>
      `<!--kg-gated-block:begin ${rule} -->${content}<!--kg-gated-block:end-->`;
    const members = gated('nonMember:false memberSegment:"status:free,status:-free"', '<p>secret</p>');
    const all = gated('nonMember:true memberSegment:"status:free"', '<p>b</p>');
    expect(cleanHtml(`<p>a</p>${members}${all}<p>c</p>`)).toBe('<p>a</p><p>b</p><p>c</p>');
    expect(cleanHtml(gated('memberSegment:"status:free"', 'secret'))).toBe('');
    expect(cleanHtml('a<!--kg-gated-block:begin nonMember:false-->secret, and not closed')).toBe('a');
  });
});
