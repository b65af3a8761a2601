import { describe, expect, it } from 'vitest';
import { plainLine, renderMarkdown } from '../../common/content/markdown.ts';
import { textCases } from '../text-cases.ts';

const render = (source: string) => renderMarkdown(source, (written) => written.replace(/^img/, '/img'));

describe.each([...textCases(new URL('./render.txt', import.meta.url))])('%s', (_heading, cases) => {
  it.each(cases)('%j', (source = '', html = '') => expect(render(source)).toBe(html));
});

describe('plain text', () => {
  it.each([
    ['Announcing `cargo` **1.0**', 'Announcing cargo 1.0'],
    ['<em>Q&amp;A</em> &mdash; <i class="icon"></i>part&nbsp;1<br>of <KBD>2</KBD>', 'Q&A — part 1 of 2'],
    ['Using <style> & <title> in HTML', 'Using <style> & <title> in HTML'],
    ['Vec<T> and Box<dyn Error>', 'Vec<T> and Box<dyn Error>'],
    ['Replace <b> by <em>strong</em></i>', 'Replace <b> by strong</i>'],
    ['A <script>x</script>, <!-- a comment -->', 'A <script>x</script>, <!-- a comment -->'],
    ['The `<style>` element', 'The <style> element'],
    ['\u202Etxt.exe\u2066 \u202Abc\u2069', 'txt.exe bc'],
    ['A [link](https://a.example)', 'A link'],
    ['snake_case_name', 'snake_case_name'],
    ['Using <style> & <title>\n\nin HTML', 'Using <style> & <title> in HTML'],
    ['<title> and <dyn Error> at the start', '<title> and <dyn Error> at the start'],
    ['<p>One</p><p>two</p>\n\n- three\n- *four* </div>', 'One two three four </div>'],
  ])('of the description %j is %j', (source, text) => {
    expect(plainLine(source)).toBe(text);
  });
});
