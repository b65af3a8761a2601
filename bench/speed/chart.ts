import * as echarts from 'echarts';
import type { ContestantId } from './contestants.ts';
import { type LaneId, mainBlog, medianOf, type Results } from './results.ts';

/** A grey that is readable on white (contrast 4.4:1) and on GitHub's dark page (4.3:1). */
const TEXT = '#707780';
const LINE = '#70778055';
const COLOURS: Readonly<Record<ContestantId, string>> = {
  ours: '#d9622b',
  tuned: '#2f9e8f',
  live: '#3d7fc4',
  nginx: '#a877c9',
};
const LANES: readonly LaneId[] = [
  ...(['newest@16', 'refused@16', 'article@16', 'articles@16', 'mixed@16', 'commonCold@16'] as const),
];
const WIDTH = 860;
const HEIGHT = 430;

/** Requests per second on the main blog, as an SVG without background. */
export function chartOf({ blogs, contestants }: Results): string {
  const blog = mainBlog(blogs);
  if (!blog) return '';
  const lanes = blog.lanes.filter(({ id }) => LANES.includes(id));
  const chart = echarts.init(null, null, { renderer: 'svg', ssr: true, width: WIDTH, height: HEIGHT });
  chart.setOption({
    animation: false,
    textStyle: { fontFamily: 'system-ui, sans-serif' },
    title: {
      text: `Requests per second, one process, ${blog.posts.toLocaleString('en')} posts`,
      left: 'center',
      textStyle: { color: TEXT, fontSize: 15, fontWeight: 600 },
    },
    legend: { bottom: 0, textStyle: { color: TEXT }, itemWidth: 14, itemHeight: 10, itemGap: 18 },
    grid: { left: 8, right: 8, top: 40, bottom: 40, containLabel: true },
    xAxis: {
      type: 'category',
      data: lanes.map(({ name }) => name),
      axisLabel: { color: TEXT, interval: 0, width: 120, overflow: 'break' },
      axisLine: { lineStyle: { color: LINE } },
      axisTick: { show: false },
    },
    yAxis: {
      type: 'value',
      axisLabel: { color: TEXT },
      splitLine: { lineStyle: { color: LINE } },
    },
    series: contestants.map(({ id, name }) => ({
      type: 'bar',
      name: name.replaceAll('`', ''),
      itemStyle: { color: COLOURS[id], borderRadius: [2, 2, 0, 0] },
      barGap: '10%',
      data: lanes.map((lane) => Math.round(medianOf(blog, id, lane.id)?.perSecond ?? 0) || null),
    })),
  });
  const svg = chart.renderToSVGString();
  chart.dispose();
  return `${svg}\n`;
}
