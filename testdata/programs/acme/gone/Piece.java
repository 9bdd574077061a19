package acme.gone;

/** What a plugin's jar has. */
public class Piece implements Runnable {
	@Override
	public void run() {
		for (int i = 0; i < 10; i++)
			part(i);
	}

	static int part(int i) {
		return i + 1;
	}
}
