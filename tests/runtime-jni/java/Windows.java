import java.awt.EventQueue;
import java.awt.Frame;
import jweave.rt.Probe;

/** Shows a window for a moment. */
class Windows {
	public static void main(String[] args) throws Exception {
		Probe.enter(1);
		Frame[] frame = new Frame[1];
		EventQueue.invokeAndWait(() -> {
			frame[0] = new Frame("window");
			frame[0].setVisible(true);
		});
		Thread.sleep(200);
		EventQueue.invokeAndWait(frame[0]::dispose);
		Probe.exit(1);
		System.exit(0);
	}
}
