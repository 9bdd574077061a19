/** Start without probes. */
public class Plain {
	public static void main(String[] args) {
		System.out.println("Hello World");
	}
}
