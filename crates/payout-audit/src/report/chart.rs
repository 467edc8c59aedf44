//! Charts as inline SVG.

use std::collections::BTreeMap;

use plotters::prelude::*;

use crate::listing::Day;

const SIZE: (u32, u32) = (900, 260);
/// Days that a chart shows; of more, the last.
const DAYS: usize = 120;

type Drawn = Result<String, Box<dyn std::error::Error>>;

/// The remaining balance at the end of each day. Nothing where there is nothing to draw.
pub(super) fn balance(days: &BTreeMap<String, Day>) -> Option<String> {
    let days = last(days);
    let mut known = Vec::new();
    let mut latest = None;
    for (_, day) in &days {
        latest = day.remaining.or(latest);
        known.push(approximate(latest.unwrap_or(0)));
    }
    let top = known.iter().copied().fold(1.0, f64::max);
    draw(&days, top, |area| {
        let steps = known
            .iter()
            .enumerate()
            .flat_map(|(at, value)| [(place(at), *value), (place(at) + 1.0, *value)]);
        area.draw_series(LineSeries::new(steps, BLUE.stroke_width(2)))?;
        Ok(())
    })
}

/// Payouts a day, and replays beside them.
pub(super) fn activity(days: &BTreeMap<String, Day>) -> Option<String> {
    let days = last(days);
    let top = days
        .iter()
        .map(|(_, day)| approximate(i128::from(day.payouts.max(day.replays))))
        .fold(1.0, f64::max);
    draw(&days, top, |area| {
        for (at, (_, day)) in days.iter().enumerate() {
            let bars = [
                (0.1, day.payouts, BLUE.filled()),
                (0.5, day.replays, RGBColor(200, 120, 0).filled()),
            ];
            for (offset, count, style) in bars {
                let left = place(at) + offset;
                let height = approximate(i128::from(count));
                area.draw_series([Rectangle::new([(left, 0.0), (left + 0.38, height)], style)])?;
            }
        }
        Ok(())
    })
}

fn last(days: &BTreeMap<String, Day>) -> Vec<(&String, &Day)> {
    let skipped = days.len().saturating_sub(DAYS);
    days.iter().skip(skipped).collect()
}

type Area<'a> = ChartContext<
    'a,
    SVGBackend<'a>,
    Cartesian2d<plotters::coord::types::RangedCoordf64, plotters::coord::types::RangedCoordf64>,
>;

fn draw(
    days: &[(&String, &Day)],
    top: f64,
    series: impl FnOnce(&mut Area<'_>) -> Result<(), Box<dyn std::error::Error>>,
) -> Option<String> {
    if days.is_empty() {
        return None;
    }
    let drawn = || -> Drawn {
        let mut svg = String::new();
        {
            let root = SVGBackend::with_string(&mut svg, SIZE).into_drawing_area();
            let mut area = ChartBuilder::on(&root)
                .margin(8)
                .x_label_area_size(24)
                .y_label_area_size(90)
                .build_cartesian_2d(0.0..place(days.len()), 0.0..top * 1.05)?;
            let label = |at: &f64| {
                let index = format!("{at:.0}").parse::<usize>().ok();
                let day = index.and_then(|index| days.get(index));
                day.map(|(day, _)| (*day).clone()).unwrap_or_default()
            };
            area.configure_mesh()
                .disable_x_mesh()
                .light_line_style(TRANSPARENT)
                .x_labels(days.len().min(8))
                .x_label_formatter(&label)
                .y_label_formatter(&|value| format!("{value:.0}"))
                .draw()?;
            series(&mut area)?;
            root.present()?;
        }
        Ok(svg)
    };
    drawn().ok()
}

/// For drawing alone: a number as long as a pixel is wide.
fn approximate(number: i128) -> f64 {
    number.to_string().parse().unwrap_or(0.0)
}

fn place(index: usize) -> f64 {
    approximate(i128::try_from(index).unwrap_or(0))
}
