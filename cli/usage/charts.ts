/** The report's chart, drawn as SVG by echarts, without a browser. */
import { BarChart } from 'echarts/charts';
import { GridComponent } from 'echarts/components';
import { init, use, type EChartsCoreOption } from 'echarts/core';
import { SVGRenderer } from 'echarts/renderers';
import { ANSWERS, type UsageSummary } from './summary.ts';

use([BarChart, GridComponent, SVGRenderer]);

/** In pixels, with text of 13 pixels. */
const [WIDTH, HEIGHT] = [960, 260];
/** How many dates fit below it, with space between them. */
const LABELS = 8;

/** Colours are CSS variables of the report, which has a light and a dark scheme. */
const INK = { color: 'var(--ink)', fontFamily: 'inherit', fontSize: 13 };
const RULE = { lineStyle: { color: 'var(--rule)' } };
const COUNT_AXIS = { type: 'value', minInterval: 1, axisLabel: INK, splitLine: RULE } as const;
/** Keeps the labels of the axes inside the margins. */
const WITHIN = { outerBoundsMode: 'same', outerBoundsContain: 'axisLabel' } as const;
const STILL = { silent: true, emphasis: { disabled: true } } as const;

/** Requests a day, by kind of answer. Days without requests are included. */
export function dayChart(days: UsageSummary['days']): string {
  const step = Math.ceil(days.length / LABELS);
  return draw({
    grid: { ...WITHIN, left: 8, right: 8, top: 8, bottom: 8 },
    xAxis: {
      type: 'category',
      data: days.map(({ day }) => day),
      // At equal distances, the last day among them.
      axisLabel: { ...INK, interval: (i: number) => (days.length - 1 - i) % step === 0 },
      axisLine: RULE,
      axisTick: { show: false },
    },
    yAxis: COUNT_AXIS,
    series: ANSWERS.filter((kind) => days.some((day) => day[kind] > 0)).map((kind) => ({
      ...STILL,
      name: kind,
      type: 'bar',
      stack: 'all',
      barMaxWidth: 48,
      color: `var(--${kind})`,
      data: days.map((day) => day[kind]),
    })),
  });
}

function draw(option: EChartsCoreOption): string {
  const chart = init(null, null, { renderer: 'svg', ssr: true, width: WIDTH, height: HEIGHT });
  try {
    chart.setOption({ animation: false, textStyle: { fontFamily: 'inherit' }, ...option });
    // The page sets its width, and the text next to it describes it.
    return chart
      .renderToSVGString()
      .replace(/<svg width="\d+" height="\d+"/, '<svg aria-hidden="true" focusable="false"')
      .replace(/<style\s*>[^]*?<\/style>/g, '');
  } finally {
    chart.dispose();
  }
}
