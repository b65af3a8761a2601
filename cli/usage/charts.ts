/** The report's charts, drawn as SVG by echarts, without a browser. */
import { BarChart } from 'echarts/charts';
import { GridComponent, LegendComponent } from 'echarts/components';
import { init, use, type EChartsCoreOption } from 'echarts/core';
import { SVGRenderer } from 'echarts/renderers';
import { ANSWERS, type Share, type UsageSummary } from './summary.ts';

use([BarChart, GridComponent, LegendComponent, SVGRenderer]);

const WIDTH = 860;

/** Colours are names of the report's style sheet, which knows light and dark. */
const INK = { color: 'var(--ink)', fontFamily: 'inherit', fontSize: 13 };
const RULE = { lineStyle: { color: 'var(--rule)' } };
const COUNT_AXIS = { type: 'value', minInterval: 1, axisLabel: INK, splitLine: RULE } as const;
/** Labels of the axes lie within the margins. */
const WITHIN = { outerBoundsMode: 'same', outerBoundsContain: 'axisLabel' } as const;
const STILL = { silent: true, emphasis: { disabled: true } } as const;

/** Requests a day, by how they were answered. Days without a request have their place too. */
export function dayChart({ days }: UsageSummary): string {
  return draw(300, {
    legend: { bottom: 0, itemGap: 20, selectedMode: false, textStyle: INK, itemWidth: 14, itemHeight: 14 },
    grid: { ...WITHIN, left: 8, right: 8, top: 16, bottom: 40 },
    xAxis: {
      type: 'category',
      data: days.map(({ day }) => day),
      axisLabel: { ...INK, hideOverlap: true },
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

/** How often each was asked for, the most at the top. */
export function shareChart(shares: readonly Share[], colourOf: (name: string) => string): string {
  return draw(28 * shares.length + 24, {
    grid: { ...WITHIN, left: 8, right: 64, top: 8, bottom: 8 },
    xAxis: { ...COUNT_AXIS, axisLabel: { show: false }, splitLine: { show: false } },
    yAxis: {
      type: 'category',
      inverse: true,
      data: shares.map(({ name }) => name),
      axisLabel: { ...INK, width: 260, overflow: 'truncate' },
      axisLine: { show: false },
      axisTick: { show: false },
    },
    series: [
      {
        ...STILL,
        type: 'bar',
        barMaxWidth: 18,
        label: { ...INK, show: true, position: 'right', formatter: grouped },
        data: shares.map(({ name, requests }) => ({
          value: requests,
          itemStyle: { color: colourOf(name), borderRadius: 3 },
        })),
      },
    ],
  });
}

/** `1,234` */
const grouped = ({ value }: { value?: unknown }) => Number(value).toLocaleString('en');

function draw(height: number, option: EChartsCoreOption): string {
  const chart = init(null, null, { renderer: 'svg', ssr: true, width: WIDTH, height });
  try {
    chart.setOption({ animation: false, textStyle: { fontFamily: 'inherit' }, ...option });
    // It takes its width from the page, and is described by the words beside it.
    return chart
      .renderToSVGString()
      .replace(/<svg width="\d+" height="\d+"/, '<svg aria-hidden="true" focusable="false"')
      .replace(/<style\s*>[^]*?<\/style>/g, '');
  } finally {
    chart.dispose();
  }
}
