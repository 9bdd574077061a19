import java.net.URI;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/** Links every class of every module of the running JDK, through the loaders that own them. */
public class LinkModules {
    public static void main(String[] args) throws Exception {
        Path modules = FileSystems.getFileSystem(URI.create("jrt:/")).getPath("/modules");
        List<Path> files;
        try (Stream<Path> walk = Files.walk(modules)) {
            files = walk.filter(f -> f.toString().endsWith(".class") && !f.endsWith("module-info.class")).sorted().toList();
        }
        int failed = 0;
        for (Path f : files) {
            String module = f.getName(1).toString();
            String name = f.subpath(2, f.getNameCount()).toString().replace('/', '.');
            name = name.substring(0, name.length() - 6);
            try {
                Module m = ModuleLayer.boot().findModule(module).orElseThrow();
                Class<?> c = Class.forName(m, name);
                if (c == null)
                    throw new ClassNotFoundException();
                if (c.isInterface())
                    c.getDeclaredMethods();
                else
                    c.getDeclaredConstructors();
            } catch (Throwable t) {
                failed++;
                System.out.println(module + "/" + name + ": " + t.getClass().getName() + ": "
                        + String.valueOf(t.getMessage()).lines().limit(1).findFirst().orElse(""));
            }
        }
        System.out.println("tried " + files.size() + ", failed " + failed);
    }
}
