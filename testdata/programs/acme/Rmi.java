package acme;

import java.rmi.Remote;
import java.rmi.RemoteException;
import java.rmi.registry.LocateRegistry;
import java.rmi.registry.Registry;
import java.rmi.server.RemoteObject;
import java.rmi.server.UnicastRemoteObject;

/**
 * Remote objects and their callers in one process: of the calls through stubs there are 211, and as many are served; of those that look
 * alike, and stay in the process, there are many more.
 */
public class Rmi {
    interface Sums extends Remote {
        int one(int n) throws RemoteException;

        int all(int n) throws RemoteException;

        default int twice(int n) throws RemoteException {
            return 2 * one(n); // of this
        }
    }

    interface Front extends Remote {
        int ask(Sums sums, int n) throws RemoteException;
    }

    /** Not a RemoteObject: its own class is Remote all the same. */
    static class Plain implements Sums {
        public int one(int n) {
            return part(n) + helper(n) + fixed(n);
        }

        public int all(int n) throws RemoteException {
            Sums me = this;
            int sum = 0;

            for (int i = 0; i < n; i++)
                sum += one(i) + me.one(i); // its own remote method, by its class and by the interface
            return sum;
        }

        private int part(int n) {
            return n & 1;
        }

        public int helper(int n) {
            return n;
        }

        public static int fixed(int n) {
            return n / 2;
        }
    }

    static class Server extends UnicastRemoteObject implements Sums, Front {
        private static final long serialVersionUID = 1;

        Server() throws RemoteException {
        }

        public int one(int n) {
            return n + 1;
        }

        public int all(int n) throws RemoteException {
            int sum = 0;

            for (int i = 0; i < n; i++)
                sum += one(i);
            return sum;
        }

        /** Serves, and calls in turn: SUMS arrives as a stub. */
        public int ask(Sums sums, int n) throws RemoteException {
            return sums.one(n) + one(n);
        }
    }

    static int local(Sums sums, Plain plain) throws RemoteException {
        return sums.one(3) + plain.one(3) + sums.all(2) + sums.twice(1) + Plain.fixed(4);
    }

    public static void main(String[] args) throws Exception {
        Plain plain = new Plain();
        Server server = new Server();
        Sums far = (Sums) UnicastRemoteObject.exportObject(plain, 0);
        Registry registry = LocateRegistry.createRegistry(0);
        int sum = local(plain, plain) + local(server, plain);

        registry.rebind("front", server);
        sum += ((Front) registry.lookup("front")).ask(plain, 1); // the registry is here: it returns the server itself
        Front front = (Front) RemoteObject.toStub(server);
        for (int i = 0; i < 80; i++)
            sum += far.one(i); // 80
        for (int i = 0; i < 30; i++)
            sum += far.all(i); // 30
        sum += far.twice(5); // 1
        for (int i = 0; i < 50; i++)
            sum += front.ask(far, i); // 50 twice: here, and there
        System.out.println(sum + " " + far.equals(plain) + " " + (far.hashCode() == plain.hashCode()) + " " + far.toString().isEmpty());
        UnicastRemoteObject.unexportObject(plain, true);
        UnicastRemoteObject.unexportObject(server, true);
        UnicastRemoteObject.unexportObject(registry, true);
    }
}
