/** The report's charts, drawn as SVG by echarts, without a browser. */
import { BarChart } from 'echarts/charts';
import { GridComponent, LegendComponent } from 'echarts/components';
import { init, use, type EChartsCoreOption } from 'echarts/core';
import { SVGRenderer } from 'echarts/renderers';
import { ANSWERS, type Share, type UsageSummary } from './summary.ts';

use([BarChart, GridComponent, LegendComponent, SVGRenderer]);

/** In pixels of the drawing, in which its letters are 13 high. */
const WIDTHS = { screen: 860, phone: 360 } as const;
export type ChartWidth = keyof typeof WIDTHS;
/** Of the names before bars. */
const NAME_WIDTHS = { screen: 260, phone: 130 } as const;

/** Colours are names of the report's style sheet, which knows light and dark. */
const INK = { color: 'var(--ink)', fontFamily: 'inherit', fontSize: 13 };
const RULE = { lineStyle: { color: 'var(--rule)' } };
const COUNT_AXIS = { type: 'value', minInterval: 1, axisLabel: INK, splitLine: RULE } as const;
/** Labels of the axes lie within the margins. */
const WITHIN = { outerBoundsMode: 'same', outerBoundsContain: 'axisLabel' } as const;
const STILL = { silent: true, emphasis: { disabled: true } } as const;

/** Requests a day, by how they were answered. Days without a request have their place too. */
export function dayChart(days: UsageSummary['days'], width: ChartWidth): string {
  return draw(width, 300, {
    legend: {
      bottom: 0,
      itemGap: width === 'phone' ? 12 : 20,
      selectedMode: false,
      textStyle: INK,
      itemWidth: 14,
      itemHeight: 14,
    },
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
export function shareChart(
  shares: readonly Share[],
  colourOf: (name: string) => string,
  width: ChartWidth,
): string {
  return draw(width, 28 * shares.length + 24, {
    grid: { ...WITHIN, left: 28, right: 64, top: 8, bottom: 8 },
    xAxis: { ...COUNT_AXIS, axisLabel: { show: false }, splitLine: { show: false } },
    yAxis: {
      type: 'category',
      inverse: true,
      data: shares.map(({ name }) => name),
      axisLabel: { ...INK, width: NAME_WIDTHS[width], overflow: 'truncate' },
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

function draw(width: ChartWidth, height: number, option: EChartsCoreOption): string {
  const chart = init(null, null, { renderer: 'svg', ssr: true, width: WIDTHS[width], height });
  try {
    chart.setOption({ animation: false, textStyle: { fontFamily: 'inherit' }, ...option });
    // It takes its width from the page, and is described by the text next to it.
    return chart
      .renderToSVGString()
      .replace(/<svg width="\d+" height="\d+"/, '<svg aria-hidden="true" focusable="false"')
      .replace(/<style\s*>[^]*?<\/style>/g, '');
  } finally {
    chart.dispose();
  }
}
