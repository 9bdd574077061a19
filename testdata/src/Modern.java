/** What class file 61 added: records, sealed types, nest mates, string concatenation. */
public sealed interface Modern permits Modern.Point, Modern.Line {
	record Point(int x, @Deprecated long y) implements Modern {
		public Point {
			if (x < 0)
				throw new IllegalArgumentException("x " + x + " of " + y);
		}
	}

	record Line(Point from, Point to) implements Modern {
	}

	static String show(Modern shape, int depth) {
		String text = switch (depth) {
		case 0 -> "top";
		case 1, 2 -> {
			String inner = "in" + depth;
			yield inner;
		}
		default -> "deep";
		};
		if (shape instanceof Point p && p.x() > 0)
			return text + p.x();
		return text;
	}

	enum Side {
		LEFT, RIGHT {
			@Override
			Side other() {
				return LEFT;
			}
		};

		Side other() {
			return RIGHT;
		}
	}
}
